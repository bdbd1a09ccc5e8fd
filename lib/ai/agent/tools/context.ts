import { z } from 'zod'
import { isList } from '../../../contract/companion/open-desk.ts'
import { takeWithin } from '../../../core/text/bounds.ts'
import { countTokens } from '../../../core/text/count-tokens.ts'
import { markdownBlocks } from '../../../core/text/markdown.ts'
import { quoteName } from '../../../core/text/quote-name.ts'
import type { GivenSource } from '../../../db/repos/turn_steps.ts'
import { numberLines } from '../../model.ts'
import type { Tool } from '../registry.ts'
import { readSource, refreshPanel, renderFacts, renderLines } from '../render.ts'
import type { Listed, ReadResult, ViewRead } from '../services.ts'
import { panelViews } from './open.ts'

type Result = { thing: ReadResult; selection: string | null } | { list: ViewRead } | { thing: null }

/** Of the whole result. */
const maxTokens = 480
const perName = 24

/** Says what the owner has open: a thing with its headings and what is selected in it, or what a list shows. */
export const contextTool: Tool<Record<string, never>, Result> = {
  name: 'context',
  title: 'See what is open',
  description:
    'See what the owner has open. Use it for “this”, “here” or “these”. Returns the kind, title, path, headings, ' +
    'properties and selected words of an entity, or the rows of a list; read returns the text.',
  input: z.object({}),
  capability: 'read',
  actionClass: 'navigational',
  async handler(_input, ctx) {
    const { view, space_id } = ctx
    if (!view) return { thing: null }
    if (isList(view)) return { list: await ctx.services.readView(ctx.actor, { space_id, view }) }
    const { entityType: kind, entityId: id, selection = null } = view
    return { thing: await ctx.services.read(ctx.actor, { space_id, kind, id }), selection }
  },
  render: (result) => {
    if ('list' in result) return renderList(result.list)
    return result.thing
      ? renderThing(result.thing, result.selection)
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

/** Characters of the text around a selection. */
const maxAround = 1200
const maxHeadings = 20

type Rendered = Exclude<ReturnType<typeof renderLines>, null>

/** Facts and headings by line; the text itself only where words of it are selected. What links there, `read` says. */
function renderThing(thing: ReadResult, selection: string | null) {
  const lines = linesOf(thing)
  const facts = renderFacts({ ...thing, backlinks: [] })
  const tool = thing.entity_type === 'mail_thread' ? 'read_email_thread' : 'read'
  const bare = `${tool} returns the text.`
  const room = maxTokens - countTokens(JSON.stringify([facts, bare])) - whereTokens
  const selected = selection === null ? null : around(thing, lines, { selection, room })
  const end = `${selected ? 'The passage around the selected words is above. ' : ''}${bare}`
  const left = selected ? room - costOf(selected) : room
  const headings = takeWithin(headingsIn(lines), left, countTokens).slice(0, maxHeadings)
  const passage = selected ? [selected] : []
  return [facts, ...passage, { type: 'text' as const, text: [...headings, end].join('\n') }]
}

/** The lines of what was read, each at its place from 0. */
function linesOf({ blocks, block_lines, from_line }: ReadResult): string[] {
  const lines: string[] = []
  for (const [at, block] of blocks.entries())
    for (const [offset, line] of block.split('\n').entries())
      lines[(block_lines[at] ?? from_line) + offset - 1] = line
  return Array.from(lines, (line) => line ?? '')
}

const headingsIn = (lines: readonly string[]): string[] =>
  markdownBlocks(lines).flatMap((block) =>
    block.type === 'heading' ? `line ${block.from + 1}: ${quoteName(block.title, perName)}` : [],
  )

/** Tokens of the words that say where the passage is. */
const whereTokens = 12
/** Tokens of the number of its source, which a line has where passages go out as text. */
const markTokens = 2

/** Tokens of a passage in the dearer of the two forms in which a model is sent it. */
const costOf = (passage: Rendered): number => {
  const lines = passage.content.flatMap(({ text }) => text.split('\n')).length
  return countTokens(JSON.stringify(numberLines(passage))) + lines * markTokens
}

type Place = { selection: string; room: number }

/** Whole lines around the first place of the selected words, in `room` tokens; `null` where they are not found. */
function around(thing: ReadResult, lines: readonly string[], { selection, room }: Place): Rendered | null {
  const text = lines.join('\n')
  const at = text.indexOf(selection.trim())
  if (at === -1 || selection.trim() === '') return null
  let [start, end] = [Math.max(0, at - maxAround / 2), at + selection.length + maxAround / 2]
  for (;;) {
    const first = text.lastIndexOf('\n', start) + 1
    const piece = text.slice(Math.max(first, start - 200), end)
    const from = text.slice(0, first).split('\n').length
    const passage = renderLines(thing, piece.split('\n'), from)
    if (passage === null || costOf(passage) <= room || end - start < 100) return passage
    start += Math.max(1, Math.floor((at - start) / 4))
    end -= Math.max(1, Math.floor((end - at) / 4))
  }
}

/** Every name is only a name, on a line of its own. */
function renderList({ view, q, filters, rows, inSight, selected }: ViewRead): string {
  const set = Object.entries(filters).map(([name, value]) => `${quoteName(name, 20)} ${quoteName(value, 30)}`)
  const head = [
    `The owner looks at the view ${panelViews[view]}${q ? `, for ${quoteName(q, 60)}` : ''}.`,
    ...(set.length > 0 ? [`Filters: ${set.join(', ')}.`] : []),
    ...(selected.length > 0 ? ['Selected:', ...selected.slice(0, 4).map(toLine)] : []),
    rows.length === 0 ? 'No rows are listed.' : inSight ? 'In sight:' : 'It begins with:',
  ]
  const lines = takeWithin(rows.map(toLine), maxTokens - countTokens(head.join('\n')), countTokens)
  const more = rows.length - lines.length
  return [...head, ...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

function toLine({ kind, id, title, status, due_on }: Listed): string {
  const facts = [status, due_on && `due ${due_on}`].filter(Boolean)
  return `${kind} ${id} ${quoteName(title, perName)}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`
}
