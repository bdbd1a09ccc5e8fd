import { z } from 'zod'
import { isList } from '../../../contract/companion/open-desk.ts'
import { estimateTokens, takeWithin } from '../../../core/text/bounds.ts'
import { quoteName } from '../../../core/text/quote-name.ts'
import type { GivenSource } from '../../../db/repos/turn_steps.ts'
import type { Tool } from '../registry.ts'
import { readSource, refreshPanel, renderRead } from '../render.ts'
import type { Listed, ReadResult, ViewRead } from '../services.ts'
import { panelViews } from './open.ts'

type Result = { thing: ReadResult } | { list: ViewRead } | { thing: null }

/** Of a list, as `estimateTokens` counts them. */
const maxTokens = 1500
const perName = 24

/** Reads what the owner has open: a thing, or what a list shows. */
export const contextTool: Tool<Record<string, never>, Result> = {
  name: 'context',
  title: 'See what is open',
  description:
    'Get the owner’s current view: an entity, or a list with its filters, rows and selection. Use it when they say ' +
    '“this page”, “here” or “these”, or name nothing.',
  input: z.object({}),
  capability: 'read',
  actionClass: 'navigational',
  async handler(_input, ctx) {
    const { view, space_id } = ctx
    if (!view) return { thing: null }
    if (isList(view)) return { list: await ctx.services.readView(ctx.actor, { space_id, view }) }
    const { entityType: kind, entityId: id } = view
    return { thing: await ctx.services.read(ctx.actor, { space_id, kind, id }) }
  },
  render: (result) => {
    if ('list' in result) return renderList(result.list)
    return result.thing
      ? renderRead(result.thing)
      : 'The owner has nothing open. Ask what they mean, or search for it.'
  },
  given: (result) => {
    if (!('list' in result)) return result.thing ? [readSource(result.thing, 'view')] : []
    return [...result.list.rows, ...result.list.selected].map(
      ({ kind, id, title }): GivenSource => ({ entity_type: kind, entity_id: id, title, given_by: 'search' }),
    )
  },
  summarize: (result) => {
    if ('list' in result) return `${panelViews[result.list.view]}, ${result.list.rows.length} rows`
    return result.thing ? `“${result.thing.title}”` : 'nothing open'
  },
  target: (result) => {
    if ('list' in result || !result.thing) return null
    return { entity_type: result.thing.entity_type, entity_id: result.thing.entity_id }
  },
  effects: (result, _, ctx) => ('list' in result || !result.thing ? [] : refreshPanel(result.thing, ctx)),
}

/** Every name is only a name, on a line of its own. */
function renderList({ view, q, filters, rows, inSight, selected }: ViewRead): string {
  const set = Object.entries(filters).map(([name, value]) => `${quoteName(name, 20)} ${quoteName(value, 30)}`)
  const head = [
    `The owner looks at the view ${panelViews[view]}${q ? `, for ${quoteName(q, 60)}` : ''}.`,
    ...(set.length > 0 ? [`Filters: ${set.join(', ')}.`] : []),
    ...(selected.length > 0 ? ['Selected:', ...selected.slice(0, 10).map(toLine)] : []),
    rows.length === 0 ? 'No rows are listed.' : inSight ? 'In sight:' : 'It begins with:',
  ]
  const lines = takeWithin(rows.map(toLine), maxTokens - estimateTokens(head.join('\n')))
  const more = rows.length - lines.length
  return [...head, ...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

function toLine({ kind, id, title, status, due_on }: Listed): string {
  const facts = [status, due_on && `due ${due_on}`].filter(Boolean)
  return `${kind} ${id} ${quoteName(title, perName)}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`
}
