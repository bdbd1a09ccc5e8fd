import { z } from 'zod'
import { quoteName } from '../../../core/text/quote-name.ts'
import type { SearchResultBlock, TextBlock } from '../../model.ts'
import { searchNames } from '../check-proposal.ts'
import type { Tool } from '../registry.ts'
import type { FoundTools, OutsideTool } from '../services.ts'
import { formatSource } from '../sources.ts'

const maxDescription = 1500
const maxSchema = 6000

/** Finds tools of the Space's sources. Their descriptions are other people's words. */
export const findToolTool: Tool<{ q: string }, FoundTools> = {
  name: 'find_tool',
  title: 'Find a tool of a source',
  needs: 'sources',
  description:
    'Find outside tools that the owner has connected. Returns their sources, names and arguments, for call_tool.',
  input: z.object({
    q: z.string().max(500).default('').describe('What the tool is to do; empty: a selection'),
  }),
  names: { ...searchNames, name: 'q' },
  capability: 'read',
  actionClass: 'navigational',
  handler: async ({ q }, ctx) =>
    await ctx.services.findOutsideTools(ctx.actor, { space_id: ctx.space_id, q }),
  render: ({ tools, total, matching, problems }) => [
    ...tools.map(toBlock),
    toNote(headOf({ tools, total, matching }), problems),
  ],
  given: ({ tools }) =>
    tools.map(({ source_id, source }) => ({
      entity_type: 'source',
      entity_id: source_id,
      title: source,
      given_by: 'tool',
    })),
  summarize: ({ tools }) => `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`,
}

function headOf({ tools, total, matching }: Omit<FoundTools, 'problems'>): string {
  if (total === 0) return 'This Space has no source tools. The owner can add sources in Settings.'
  if (tools.length === 0) return `None of the ${total} tools matches. Try other words.`
  return `${tools.length} of ${matching} matching tools, of ${total} in all.`
}

const toNote = (head: string, problems: readonly string[]): TextBlock => ({
  type: 'text',
  text: [
    head,
    ...problems.map((name) => `The source ${quoteName(name, 40)} did not respond to the last request.`),
  ].join('\n'),
})

function toBlock(tool: OutsideTool): SearchResultBlock {
  const { source_id, source, name, asks, title, description = '', input_schema } = tool
  const schema = JSON.stringify(input_schema)
  const lines = [
    `source: ${JSON.stringify(source)}, tool: ${JSON.stringify(name)}${asks ? ' (waits for the owner)' : ''}`,
    description.slice(0, maxDescription),
    `arguments: ${schema.length <= maxSchema ? schema : `${schema.slice(0, maxSchema)} … (cut)`}`,
  ]
  return {
    type: 'search_result',
    source: formatSource({ entity_type: 'source', entity_id: source_id, ordinal: null }),
    title: `${source} › ${title ?? name}`,
    content: lines.filter((text) => text.trim() !== '').map((text) => ({ type: 'text', text })),
    citations: { enabled: true },
  }
}
