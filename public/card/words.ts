// A card's fields and states in the words of a person.

import type { Card, CardField, CardLine } from '../../lib/contract/card.ts'
import type { IconName } from '../components/icon.ts'
import { dayText } from '../time.ts'

export type CardState = { word: string; tone: 'violet' | 'amber' | 'green' | 'red' | 'plain'; icon: IconName }

/** How a draft stands, in a word. */
export function cardState({ status, stale }: Pick<Card, 'status' | 'stale'>): CardState {
  if (status === 'pending' && stale) return { word: 'Out of date', tone: 'amber', icon: 'warning' }
  return states[status] ?? { word: status, tone: 'plain', icon: 'archive' }
}

const states: Record<Card['status'], CardState> = {
  pending: { word: 'Waiting', tone: 'violet', icon: 'clock' },
  approved: { word: 'Approved', tone: 'green', icon: 'check' },
  rejected: { word: 'Rejected', tone: 'red', icon: 'close' },
  superseded: { word: 'Replaced', tone: 'plain', icon: 'archive' },
  retracted: { word: 'Taken back', tone: 'plain', icon: 'undo' },
  expired: { word: 'Expired', tone: 'plain', icon: 'clock' },
  obsolete: { word: 'Gone', tone: 'plain', icon: 'archive' },
}

const names: Record<string, string> = {
  body: 'Text',
  due_on: 'Due',
  published_on: 'Published',
  parent_id: 'Below',
  project_id: 'Project',
  url: 'Address',
  mime: 'Type',
}

/** "due_on" as "Due", "priority" as "Priority". */
export function fieldName(name: string): string {
  return names[name] ?? capital(name.replace(/_(id|on)$/, '').replaceAll('_', ' '))
}

/** A short value: a choice in words, a day as a day, an entity by its title. */
export function fieldValue(
  { name, value }: { name: string; value: unknown },
  { references, now }: { references: Card['references']; now: Date },
): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'string') return typeof value === 'number' ? String(value) : JSON.stringify(value)
  if (name.endsWith('_id')) return references[value] ?? 'something that is gone'
  if (name.endsWith('_on') && /^\d{4}-\d{2}-\d{2}$/.test(value)) return dayText(value, now)
  return choices.has(name) ? capital(value.replaceAll('_', ' ')) : value
}

/** Whether a field is shown as text with its changes, rather than as one value before another. */
export function isLong({ name, before, after }: CardField): boolean {
  if (name === 'body' || name === 'text') return true
  return [before, after].some(
    (value) => typeof value === 'string' && (value.length > 160 || value.includes('\n')),
  )
}

/** Approving it takes something away, so it is never one of many. */
export const isDestructive = ({ operation }: Pick<CardLine, 'operation'>): boolean => operation === 'delete'

/** Whether it may be approved together with others of its changeset. */
export const isPlain = (line: CardLine): boolean =>
  line.status === 'pending' && line.stale === null && !isDestructive(line)

/** Who closed it, as a sentence has it. */
export const deciderName = (by: string): string => (by === 'owner' ? 'you' : by || 'nobody')

const choices = new Set(['status', 'priority', 'kind'])

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
