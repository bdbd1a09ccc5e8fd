// "Set the due date of X to …", "change the priority of X to high", "make X urgent", "postpone X to Monday",
// "set the url of X to …".

import { readDate } from '../dates/find-date.ts'
import { type Clause, type Command, changing, refusing } from './command.ts'
import { readTarget } from './target.ts'
import { unquote } from './unquote.ts'
import { draftUpdate } from './update.ts'

type Field = { column: string; kinds: string[]; read: (text: string, now: Date) => string | null }

const priorities: Record<string, string> = {
  low: 'low',
  normal: 'normal',
  medium: 'normal',
  high: 'high',
  urgent: 'urgent',
}
const due: Field = { column: 'due_on', kinds: ['task'], read: readDate }
const priority: Field = {
  column: 'priority',
  kinds: ['task'],
  read: (text) =>
    priorities[
      text
        .toLowerCase()
        .replace(/ priority$/, '')
        .trim()
    ] ?? null,
}
const url: Field = {
  column: 'url',
  kinds: ['ref', 'resource'],
  read: (text) => (/^https?:\/\/\S+$/i.test(text) ? text : null),
}
const published: Field = { column: 'published_on', kinds: ['ref'], read: readDate }
const author: Field = {
  column: 'author',
  kinds: ['ref'],
  read: (text) => unquote(text).slice(0, 500) || null,
}
const description: Field = {
  column: 'body',
  kinds: ['task', 'project', 'page', 'ref', 'resource'],
  read: (text) => unquote(text) || null,
}

const fields: Record<string, Field> = {
  'due date': due,
  'due day': due,
  deadline: due,
  due,
  priority,
  url,
  link: url,
  address: url,
  author,
  'publication date': published,
  description,
  body: description,
  text: description,
}
const fieldWord = Object.keys(fields).join('|')

type Reading = { field: Field; name: string; value: string }

const patterns: [RegExp, (groups: string[]) => Reading | null][] = [
  [
    new RegExp(
      `^(?:set|change|update|move|push|make|raise|lower) (?:the )?(${fieldWord}) (?:of|for|on) (.{1,400}?) (?:to|as|at) (.{1,2000})$`,
      'i',
    ),
    ([word = '', name = '', value = '']) => ({ field: fields[word.toLowerCase()]!, name, value }),
  ],
  [
    new RegExp(
      `^(?:set|change|make) (?:the )?(${fieldWord}) (?:to |as )?(.{1,60}?) (?:of|for|on) (.{1,400})$`,
      'i',
    ),
    ([word = '', value = '', name = '']) => ({ field: fields[word.toLowerCase()]!, name, value }),
  ],
  [
    new RegExp(`^(?:remove|clear|delete|drop) (?:the )?(${fieldWord}) (?:of|from|for|on) (.{1,400})$`, 'i'),
    ([word = '', name = '']) => ({ field: fields[word.toLowerCase()]!, name, value: '' }),
  ],
  [
    /^(?:postpone|reschedule|delay|move|push|defer|shift)(?: back)? (.{1,400}?) (?:to|until|till|for|on) (.{1,60})$/i,
    dueReading,
  ],
  [/^(?:set|make|mark) (.{1,400}?) (?:is |as )?due (?:on |by |to )?(.{1,60})$/i, dueReading],
  [/^(.{1,400}?) is due (?:on |by )?(.{1,60})$/i, dueReading],
  [
    /^(?:set|make|mark|change|give) (.{1,400}?) (?:to |as |a )?(?:priority )?(low|normal|medium|high|urgent)(?: priority)?$/i,
    priorityReading,
  ],
  [/^prioriti[sz]e (.{1,400})$/i, ([name = '']) => ({ field: priority, name, value: 'high' })],
]

function dueReading([name = '', value = '']: string[]): Reading {
  return { field: due, name, value }
}

function priorityReading([name = '', value = '']: string[]): Reading {
  return { field: priority, name, value }
}

export function readSetField({ head, said }: Clause, now: Date): Command | null {
  for (const [pattern, read] of patterns) {
    const match = head.length > 3000 ? null : pattern.exec(head)
    const reading = match ? read(match.slice(1)) : null
    if (!reading) continue
    const clears = reading.value === '' || /^(?:none|nothing|no date|null|empty)$/i.test(reading.value)
    const value = clears ? null : reading.field.read(reading.value.trim(), now)
    // "Move the page X to Y" and "push X to Z" have nothing to do with a day.
    if (value === null && !clears && reading.field === due && !/\bdue|deadline/i.test(head)) continue
    return value === null && !clears ? unreadable(reading, said) : setting(reading, value, said)
  }
  return null
}

function setting({ field, name }: Reading, value: string | null, said: string): Command {
  const target = readTarget(name, field.kinds)
  const change = { [field.column]: value === null && field.column === 'priority' ? 'normal' : value }
  return changing(said, (earlier) => draftUpdate({ target, said, earlier, fields: () => change }))
}

function unreadable({ field, value }: Reading, said: string): Command {
  const examples =
    field.read === readDate
      ? 'a day such as “3 March”, “next Friday” or “2026-03-03”'
      : 'what it can be set to'
  return refusing(
    said,
    `I could not read “${value.slice(0, 80)}” as ${examples}, so I drafted nothing for it.`,
  )
}
