import type { ActivityEntry } from '../../../lib/contract/activity.ts'
import type { Space } from '../../../lib/contract/entities.ts'
import { fieldLabel } from '../../../lib/core/text/properties/field-label.ts'
import { icon, kindIcon } from '../../ui/components/icon.ts'
import { quoted, visible } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import {
  entityHref,
  kindLabel,
  searchHref,
  spaceHref,
  turnHref,
  withQuery,
} from '../../ui/words/addresses.ts'
import { actorNameFirst } from '../../ui/words/names.ts'

type EntryContext = { spaces: readonly Space[]; now: Date }

/** An event, linked to its entity and to the draft it came from. */
export function renderEntry(entry: ActivityEntry, context: EntryContext): HTMLElement {
  const space = context.spaces.find(({ id }) => id === entry.space_id)
  return el(
    'li',
    { class: 'activity-entry', 'data-source': entry.source },
    iconOf(entry),
    el(
      'div',
      { class: 'activity-what' },
      el(
        'p',
        {},
        el('strong', {}, visible(actorNameFirst(entry.actor))),
        ' ',
        actionOf(entry),
        ' ',
        linkOf(entry, space),
      ),
      entry.source === 'call' ? renderCall(entry, space) : [renderWords(entry), renderAnswered(entry)],
    ),
    el(
      'div',
      { class: 'activity-where' },
      entry.pending_change_id &&
        el(
          'a',
          { href: `/inbox/${entry.pending_change_id}` },
          entry.source === 'change' ? 'from a draft' : 'draft',
        ),
      space &&
        entry.turn_id &&
        el('a', { href: turnHref(space.slug, entry.turn_id, entry.tool_use_id) }, 'conversation'),
      space && el('a', { class: 'dim', href: spaceHref(space.slug) }, space.name),
      timeAgo(entry.at, context.now),
    ),
  )
}

function iconOf({ source, entity_type, actor }: ActivityEntry): Child {
  if (source === 'call') return icon('companion')
  if (source === 'message') return icon(actor === 'owner' ? 'send' : 'companion')
  if (source === 'draft') return icon('inbox')
  if (source === 'glance') return icon('mail')
  return source === 'decision' ? icon('check') : kindIcon(entity_type ?? '')
}

function actionOf({ source, action, fields, entity_type }: ActivityEntry): Child {
  const kind = kindWord(entity_type)
  switch (source) {
    case 'call':
      return ['called ', el('code', {}, action)]
    case 'message':
      return action === 'ask' ? 'asked' : 'answered'
    case 'draft':
      return `proposed to ${{ create: 'create', update: 'change', delete: 'delete', call: 'make' }[action] ?? action} the ${kind}`
    case 'decision':
      return `${outcomes[action] ?? action} the draft for the ${kind}`
    case 'glance':
      return 'pointed to'
    case 'change':
      return changeText(action, fields, kind)
  }
}

const outcomes: Record<string, string> = {
  approved: 'approved',
  rejected: 'rejected',
  superseded: 'replaced',
  retracted: 'withdrew',
  obsolete: 'closed',
}

function changeText(action: string, fields: readonly string[], kind: string): string {
  if (action === 'update') {
    const what = fields.map((field) => fieldLabel(field).toLowerCase()).join(', ')
    return what ? `changed ${what} of the ${kind}` : `changed the ${kind}`
  }
  return action === 'redact'
    ? `removed a line from the history of the ${kind}`
    : `${pastVerbs[action] ?? action} the ${kind}`
}

const kindWord = (type: string | null) =>
  type === null ? 'item' : type === 'space' ? 'Space' : kindLabel(type).toLowerCase()

const pastVerbs: Record<string, string> = {
  create: 'created',
  delete: 'deleted',
  restore: 'restored',
}

function linkOf(entry: ActivityEntry, space: Space | undefined): Child {
  const { title, exists, entity_type, entity_id } = entry
  const q = entry.action === 'search' ? textOf(entry, 'q') : undefined
  if (q) return ['for ', el('a', { href: searchHref(q, space?.id) }, quoted(q, 160))]
  if (entity_type === null || entity_id === null) return null
  if (entry.source === 'glance')
    return space && el('a', { href: entityHref(space.slug, entity_type, entity_id) ?? '' }, 'a mail thread')
  if (entity_type === 'space') return space ? el('a', { href: spaceHref(space.slug) }, space.name) : null
  const href = space && entityHref(space.slug, entity_type, entity_id, entry.passage ?? undefined)
  if (href && exists) return el('a', { href }, quoted(title))
  // What a draft would create does not exist yet.
  return el('span', { class: 'dim' }, title === '' ? '(deleted)' : quoted(title))
}

/** A text among the arguments of a call. */
function textOf({ arguments: args }: ActivityEntry, name: string): string | undefined {
  const value: unknown = typeof args === 'object' && args !== null ? Reflect.get(args, name) : undefined
  return typeof value === 'string' ? value : undefined
}

/** The message, or the reason. */
function renderWords({ result, source }: ActivityEntry): Child {
  if (result === '') return null
  return el(
    'p',
    { class: ['activity-words', source !== 'message' && 'dim'], dir: 'auto' },
    quoted(firstLine(result), 160),
  )
}

/** What an answer was made by: the model, and the wording of prompt and tools, by its hash. */
function renderAnswered({ source, arguments: args }: ActivityEntry): Child {
  if (source !== 'message' || typeof args !== 'object' || args === null) return null
  const { model, prompt_hash: wording } = args as { model?: string; prompt_hash?: string }
  if (!wording) return null
  return el(
    'details',
    { class: 'activity-call' },
    el('summary', { class: 'dim' }, visible(model ?? 'Details')),
    el('p', { class: 'dim' }, 'Prompt and tools: ', el('code', {}, visible(wording))),
  )
}

function renderCall(entry: ActivityEntry, space: Space | undefined): Child {
  const { id, result, status, duration_ms, arguments: args } = entry
  return el(
    'details',
    { class: 'activity-call', id: `call-${id}` },
    el(
      'summary',
      {},
      status === 'error' && el('span', { class: 'badge badge-red' }, 'failed'),
      status === 'pending' && el('span', { class: 'badge' }, 'running'),
      status === 'cancelled' && el('span', { class: 'badge badge-amber' }, 'cancelled'),
      el('span', {}, visible(firstLine(result) || 'no result')),
      duration_ms !== null && el('span', { class: 'dim' }, `${duration_ms} ms`),
    ),
    el('pre', { tabindex: 0 }, visible(JSON.stringify(args, null, 2))),
    renderOthers(entry, space),
  )
}

/** Links to all that happened where this call belongs. */
function renderOthers(
  { turn_id: turn, conversation_id: conversation, entity_id: thing }: ActivityEntry,
  space: Space | undefined,
): Child {
  const others = [
    turn && (['This message', { turn }] as const),
    conversation && (['This conversation', { conversation, space: space?.slug ?? null }] as const),
    thing && (['This item', { thing }] as const),
  ].filter((other) => typeof other === 'object' && other !== null)
  if (others.length === 0) return null
  return el(
    'p',
    { class: 'activity-others' },
    'All activity of: ',
    others.map(([label, query]) => el('a', { href: activityHref(query) }, label)),
  )
}

const firstLine = (text: string): string => {
  const line = text.split('\n')[0] ?? ''
  return line.length > 160 ? `${line.slice(0, 159)}…` : line
}

/** What the selects of the view choose. `what`: a source, or one action of a change; `result`: of calls. */
const filterNames = ['space', 'actor', 'what', 'kind', 'tool', 'result'] as const

/** What narrows it to one of something: the id of an entity, a conversation, a turn. */
export const oneNames = ['thing', 'conversation', 'turn'] as const

/**
 * The filters of the activity, stored in the address. `null`: any. `space` is a slug; `actor` is `owner`, `agents`,
 * `agent:<slug>` or `system:<name>`; `cursor` is the entry after which the page starts.
 */
export type ActivityQuery = Record<
  (typeof filterNames)[number] | (typeof oneNames)[number] | 'cursor',
  string | null
>

export function parseActivityQuery({ searchParams }: URL): ActivityQuery {
  const get = (name: string) => searchParams.get(name) || null
  return {
    space: get('space'),
    actor: get('actor'),
    what: get('what'),
    kind: get('kind'),
    tool: get('tool'),
    result: get('result'),
    thing: get('thing'),
    conversation: get('conversation'),
    turn: get('turn'),
    cursor: get('cursor'),
  }
}

export const isFiltered = (query: ActivityQuery): boolean =>
  [...filterNames, ...oneNames].some((name) => query[name] !== null)

export const activityHref = (query: Partial<ActivityQuery>): string => withQuery('/activity', query)

/** What agents did with an entity, and what came of their drafts. */
export const agentsHref = (thing: string): string => activityHref({ thing, actor: 'agents' })

const sources = new Set(['change', 'call', 'message', 'draft', 'decision', 'glance'])

/** The query of the API. */
export const activityPath = (query: ActivityQuery, spaceId: string | null, limit = 60): string =>
  withQuery('/api/activity', { ...toFilter(query, spaceId), cursor: query.cursor, limit })

/** The download of all entries that match, on whatever page. */
export const exportPath = (query: ActivityQuery, spaceId: string | null): string =>
  withQuery('/api/activity/export', toFilter(query, spaceId))

function toFilter(query: ActivityQuery, spaceId: string | null) {
  const { actor, kind, tool, result } = query
  return {
    space_id: spaceId,
    actor,
    entity_type: kind,
    ...toSource(query),
    ...(tool ? { source: 'call', action: tool } : {}),
    entity_id: query.thing,
    conversation_id: query.conversation,
    turn_id: query.turn,
    status: result,
  }
}

function toSource({ what }: ActivityQuery) {
  const isSource = what !== null && sources.has(what)
  return { source: what === null || isSource ? what : 'change', action: isSource ? null : what }
}
