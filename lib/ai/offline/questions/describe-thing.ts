import type { Thing } from '../answers.ts'
import { readDay, spellDate, spellDay } from '../dates/day.ts'
import { plainName } from './plain-text.ts'

/** The fields of a task, project, ref or resource in a sentence, as they were read. */
export function describeThing({ kind, fields, body }: Thing, today: Date): string {
  const title = plainName(body?.title ?? String(fields.title ?? '')) || 'untitled'
  const facts = Object.entries(fields).flatMap(([name, value]) => factOf(name, value, today))
  const label = kind.replace('_', ' ')
  return facts.length > 0 ? `**${title}** is a ${label}: ${facts.join(', ')}.` : `**${title}**, a ${label}:`
}

function factOf(name: string, value: unknown, today: Date): string[] {
  if (typeof value !== 'string' || value === '') return []
  const text = plainName(value)
  switch (name) {
    case 'status':
      return [text.replaceAll('_', ' ')]
    case 'priority':
      return text === 'normal' ? [] : [`priority ${text}`]
    case 'due_on':
    case 'published_on': {
      const day = readDay(value)
      const spelled = day === null ? text : name === 'due_on' ? spellDay(day, today) : spellDate(day)
      return [`${name === 'due_on' ? 'due' : 'published'} ${spelled}`]
    }
    case 'url':
      return /^https?:\/\/[^\s<>]+$/i.test(value) ? [`at ${value}`] : []
    case 'author':
      return [`by ${text}`]
    case 'kind':
      return [text]
    default:
      return []
  }
}
