// "Mark X as done", "set the due date of X to …", "rename X to Y", "delete X"; "append … to X", with the text on the
// same line or below.

import { parseDay } from '../../core/text/dates/extract-day.ts'
import {
  type Clause,
  type Command,
  type Entity,
  findTarget,
  kindWord,
  nameOf,
  type Outcome,
  propose,
  readTarget,
  unquote,
} from './command.ts'
import { call, type Plan, parseItem } from './conversation.ts'
import { plainName } from './plain-name.ts'

type Column = 'title' | 'status' | 'due_on'

/** `null`: all. */
const kindsWith = { title: null, status: ['task', 'project'], due_on: ['task'] }
const finished = { done: 'done', complete: 'done', completed: 'done', finished: 'done' }
const ended = { ...finished, cancelled: 'cancelled', canceled: 'cancelled' }
const statuses: Record<string, Record<string, string>> = {
  task: { ...ended, open: 'open', 'in progress': 'in_progress' },
  project: { ...ended, open: 'active', active: 'active', 'on hold': 'on_hold' },
}
const status = [...new Set(Object.values(statuses).flatMap(Object.keys))].join('|')

/** A command without the group `value` sets a fixed one, or clears the field. */
const commands: [column: Column, pattern: RegExp, fixed?: string][] = [
  ['status', new RegExp(`^(?:mark|set) (?<name>.{1,400}?) (?:as |to )?(?<value>${status})$`, 'i')],
  ['status', /^(?:set|change) the status of (?<name>.{1,400}) to (?<value>.{1,60})$/i],
  ['status', /^(?:complete|finish) (?<name>.{1,400})$/i, 'done'],
  ['status', /^cancel (?<name>.{1,400})$/i, 'cancelled'],
  ['status', /^re-?open (?<name>.{1,400})$/i, 'open'],
  ['due_on', /^(?:set|change) the (?:due date|deadline) of (?<name>.{1,400}) to (?<value>.{1,60})$/i],
  ['due_on', /^(?:postpone|reschedule) (?<name>.{1,400}) (?:to|until) (?<value>.{1,60})$/i],
  ['due_on', /^(?:clear|remove) the (?:due date|deadline) of (?<name>.{1,400})$/i],
]

type Wish = { column: Column; name: string; value: string | null }

export function readChange({ head, said }: Clause, now: Date): Command[] | null {
  const renamed = /^rename (.{1,800})$/i.exec(head)?.[1]
  const wishes = renamed ? readRename(renamed) : readWish(head)
  if (wishes.length > 0) return [setting(wishes, said, now)]
  const deleted = /^(?:delete|remove) (.{1,500})$/i.exec(head)?.[1]
  return deleted ? [deleting(deleted, said)] : null
}

function readWish(head: string): Wish[] {
  for (const [column, pattern, fixed = null] of commands) {
    const { name, value = fixed } = pattern.exec(head)?.groups ?? {}
    if (name) return [{ column, name, value }]
  }
  return []
}

/** Either name may hold a "to": one reading for each place to divide them. */
const readRename = (names: string): Wish[] =>
  [...names.matchAll(/ to /gi)].slice(0, 3).map(({ index }) => ({
    column: 'title',
    name: names.slice(0, index),
    value: unquote(names.slice(index + 4)),
  }))

/** Drafts the first of the readings whose name is found. */
const setting = (wishes: readonly Wish[], said: string, now: Date): Command => ({
  *draft(earlier) {
    let problem = ''
    for (const { column, name, value } of wishes) {
      const match = yield* findTarget(readTarget(name, kindsWith[column]), earlier)
      if ('problem' in match) {
        problem ||= match.problem
        continue
      }
      const wanted = value === null ? null : valueFor(column, value, { kind: match.entity.kind, now })
      if (wanted !== undefined) return yield* update(match.entity, { [column]: wanted }, said)
      problem = `I could not read “${plainName(value ?? '')}” as a ${column === 'status' ? 'status' : 'day'} for ${nameOf(match.entity)}.`
    }
    return { problem }
  },
})

/** As the kind stores it; `undefined` for what cannot be read. */
function valueFor(
  column: Column,
  text: string,
  { kind, now }: { kind: string; now: Date },
): string | undefined {
  if (column === 'status') return statuses[kind]?.[text.toLowerCase()]
  return column === 'due_on' ? (parseDay(text, now) ?? undefined) : text
}

function* update(entity: Entity, payload: Record<string, unknown>, said: string): Plan<Outcome> {
  const { kind, id } = entity
  const item = parseItem(yield* call('read', { kind, id }))
  const isSame = Object.entries(payload).every(([column, value]) => item?.fields[column] === value)
  if (isSame) return { problem: `Nothing to draft: ${nameOf(entity)} is like that already.` }
  return yield* propose({ entity_type: kind, action: 'update', entity_id: id, payload }, nameOf(entity), said)
}

const deleting = (name: string, said: string): Command => ({
  *draft(earlier) {
    const match = yield* findTarget(readTarget(name), earlier)
    if ('problem' in match) return match
    const { kind, id } = match.entity
    return yield* propose({ entity_type: kind, action: 'delete', entity_id: id }, nameOf(match.entity), said)
  },
})

const place = `(?:the |my |this )?(?:${kindWord})(?: \\S.{0,300})?|(?:the |my )\\S.{0,300} (?:${kindWord})|here`
const appendPatterns = [
  /^(?:append|add) (?<text>"[^"]{1,20000}"|“[^”]{1,20000}”) to (?<name>.{1,300})$/i,
  new RegExp(`^(?:append|add)(?: this)? to (?<name>${place}):(?: (?<text>.*))?$`, 'i'),
  new RegExp(`^(?:append|add) (?<text>.{1,20000}) to (?<name>${place}):?$`, 'i'),
]

export function readAppend({ head, below, said }: Clause): Command[] | null {
  const match = appendPatterns.map((pattern) => pattern.exec(head)?.groups).find(Boolean)
  const text = [unquote(match?.text ?? ''), below].filter((part) => part.trim() !== '').join('\n')
  if (!match?.name || text === '') return null
  const target = readTarget(match.name)
  return [
    {
      *draft(earlier) {
        const found = yield* findTarget(target, earlier)
        return 'problem' in found ? found : yield* append(found.entity, text, said)
      },
    },
  ]
}

function* append(entity: Entity, text: string, said: string): Plan<Outcome> {
  const { kind, id } = entity
  const update = {
    entity_type: kind,
    action: 'update' as const,
    entity_id: id,
    edits: [{ append: text }],
  } satisfies Parameters<typeof propose>[0]
  return yield* propose(update, nameOf(entity), said)
}
