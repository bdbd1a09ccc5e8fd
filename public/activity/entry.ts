import type { ActivityEntry } from '../../lib/contract/activity.ts'
import type { Space } from '../../lib/contract/entities.ts'
import { actorNameFirst } from '../actor-name.ts'
import { entityHref, kindLabel, spaceHref, turnHref } from '../addresses.ts'
import { withQuery } from '../api.ts'
import { fieldName } from '../card/words.ts'
import { icon, kindIcon } from '../components/icon.ts'
import { visible } from '../components/visible.ts'
import { type Child, el } from '../dom.ts'
import { timeAgo } from '../time.ts'

export type EntryContext = { spaces: readonly Space[]; now: Date }

/** What happened, linked to its thing and to the draft it came from. */
export function renderEntry(entry: ActivityEntry, context: EntryContext): HTMLElement {
  const space = context.spaces.find(({ id }) => id === entry.space_id)
  return el(
    'li',
    { class: 'activity-entry', 'data-source': entry.source },
    signOf(entry),
    el(
      'div',
      { class: 'activity-what' },
      el(
        'p',
        {},
        el('strong', {}, visible(actorNameFirst(entry.actor))),
        ' ',
        did(entry),
        ' ',
        thing(entry, space),
      ),
      entry.source === 'call' ? renderCall(entry) : renderWords(entry),
    ),
    el(
      'div',
      { class: 'activity-where' },
      entry.pending_change_id &&
        el(
          'a',
          { href: `/inbox/${entry.pending_change_id}` },
          entry.source === 'change' ? 'from a draft' : 'the draft',
        ),
      space &&
        entry.turn_id &&
        el('a', { href: turnHref(space.slug, entry.turn_id, entry.tool_use_id) }, 'the conversation'),
      space && el('a', { class: 'dim', href: spaceHref(space.slug) }, space.name),
      timeAgo(entry.at, context.now),
    ),
  )
}

function signOf({ source, entity_type, actor }: ActivityEntry): Child {
  if (source === 'call') return icon('companion')
  if (source === 'message') return icon(actor === 'owner' ? 'send' : 'companion')
  if (source === 'draft') return icon('inbox')
  return source === 'decision' ? icon('check') : kindIcon(entity_type ?? '')
}

function did({ source, action, fields, entity_type }: ActivityEntry): Child {
  const kind = kindWord(entity_type)
  switch (source) {
    case 'call':
      return ['called ', el('code', {}, action)]
    case 'message':
      return action === 'ask' ? 'said' : 'answered'
    case 'draft':
      return `drafted to ${{ create: 'make', update: 'change', delete: 'delete' }[action] ?? action} the ${kind}`
    case 'decision':
      return `${outcomes[action] ?? action} the draft about the ${kind}`
    case 'change':
      return changed(action, fields, kind)
  }
}

const outcomes: Record<string, string> = {
  approved: 'approved',
  rejected: 'rejected',
  superseded: 'replaced',
  retracted: 'took back',
  obsolete: 'closed, its target being gone,',
}

function changed(action: string, fields: readonly string[], kind: string): string {
  if (action === 'update') {
    const what = fields.map((field) => fieldName(field).toLowerCase()).join(', ')
    return what ? `changed ${what} of the ${kind}` : `changed the ${kind}`
  }
  return `${deeds[action] ?? action} the ${kind}`
}

const kindWord = (type: string | null) =>
  type === null ? 'thing' : type === 'space' ? 'Space' : kindLabel(type).toLowerCase()

const deeds: Record<string, string> = {
  create: 'made',
  delete: 'put into the trash',
  restore: 'took out of the trash',
}

function thing(entry: ActivityEntry, space: Space | undefined): Child {
  const { title, exists, entity_type, entity_id } = entry
  const q = entry.action === 'search' ? textOf(entry, 'q') : undefined
  if (q) return ['for ', el('a', { href: withQuery('/search', { q }) }, visible(firstLine(q)))]
  if (entity_type === null || entity_id === null) return null
  if (entity_type === 'space') return space ? el('a', { href: spaceHref(space.slug) }, space.name) : null
  // What was marked is marked again.
  const mark = entry.action === 'highlight' ? textOf(entry, 'text') : undefined
  const href = space && entityHref(space.slug, entity_type, entity_id, mark)
  if (href && exists) return el('a', { href }, visible(title))
  // What a draft would make is not there yet, and may never be.
  return el('span', { class: 'dim' }, title === '' ? 'that is gone' : ['‘', visible(title), '’'])
}

/** A text among the arguments of a call. */
function textOf({ arguments: given }: ActivityEntry, name: string): string | undefined {
  const value: unknown = typeof given === 'object' && given !== null ? Reflect.get(given, name) : undefined
  return typeof value === 'string' ? value : undefined
}

/** What was said, or why. */
function renderWords({ result, source }: ActivityEntry): Child {
  if (result === '') return null
  return el(
    'p',
    { class: ['activity-words', source !== 'message' && 'dim'], dir: 'auto' },
    visible(firstLine(result)),
  )
}

function renderCall({ id, result, failed, duration_ms, arguments: given }: ActivityEntry): Child {
  return el(
    'details',
    { class: 'activity-call', id: `call-${id}` },
    el(
      'summary',
      {},
      failed && el('span', { class: 'badge badge-red' }, 'failed'),
      el('span', {}, visible(firstLine(result) || 'no result')),
      duration_ms !== null && el('span', { class: 'dim' }, `${duration_ms} ms`),
    ),
    el('pre', { tabindex: 0 }, visible(JSON.stringify(given, null, 2))),
  )
}

const firstLine = (text: string): string => {
  const line = text.split('\n')[0] ?? ''
  return line.length > 160 ? `${line.slice(0, 159)}…` : line
}
