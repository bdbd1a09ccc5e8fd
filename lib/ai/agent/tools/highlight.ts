import { z } from 'zod'
import { isList } from '../../../contract/companion/open-desk.ts'
import type { Kind } from '../../../contract/entities/kind.ts'
import type { Panel } from '../../../contract/events/effects.ts'
import { quoteName } from '../../../core/text/quote-name.ts'
import { entityNames, kindNames } from '../check-proposal.ts'
import { notListed, type Tool, type ToolContext, type ToolFailure } from '../registry.ts'

type Input = { kind?: string | undefined; id?: string | undefined; text: string }
type Place = { space_id: string; kind: string; id: string }
type Result = { panel: Place & Panel; text: string }

/** Marks a passage where the owner can see it. The words must really be there. */
export function createHighlightTool(kinds: readonly Kind[]): Tool<Input, Result> {
  return {
    name: 'highlight',
    title: 'Mark a passage',
    description:
      'Mark a passage for the owner. One or two words are enough if they stand there once; else copy a sentence exactly.',
    input: z.object({
      kind: z
        .enum(kinds.map(({ type }) => type))
        .optional()
        .describe('Kind, as results name it')
        .meta(notListed),
      id: z.uuid().optional().describe('Default: what is open'),
      text: z.string().trim().min(1).max(600).describe('Words as they stand there'),
    }),
    names: { ...entityNames, quote: 'text', passage: 'text', words: 'text' },
    values: kindNames,
    byPath: { id: 'id', kind: 'kind' },
    capability: 'read',
    actionClass: 'navigational',
    async handler({ text, ...named }, ctx) {
      const place = placeOf(named, ctx)
      if ('error' in place) return place
      const found = await ctx.services.findQuotedText(ctx.actor, { ...place, text })
      if (!found) return { error: 'The text was not found there. Read it again and copy the text exactly.' }
      if (found.count > 1)
        return {
          error: `These words stand there ${found.count} times. Send more of the words around the place that you mean.`,
        }
      return { panel: { ...place, title: found.title }, text }
    },
    render: ({ panel }) => `Marked in ${quoteName(panel.title, 60)}.`,
    given: () => [],
    summarize: ({ panel }) => `“${panel.title}”`,
    target: ({ panel: { kind, id }, text }) => ({ entity_type: kind, entity_id: id, passage: text }),
    effects: ({ panel, text }) => [{ type: 'highlight', panel, text }],
  }
}

/** What the call names, or what the owner has open. */
function placeOf(
  { kind, id }: Pick<Input, 'kind' | 'id'>,
  { space_id, view }: ToolContext,
): Place | ToolFailure {
  if (kind && id) return { space_id, kind, id }
  const open = view && !isList(view) ? view : null
  if (!open || (kind && kind !== open.entityType) || (id && id !== open.entityId))
    return { error: 'Specify kind and id, as results name them.' }
  return { space_id, kind: open.entityType, id: open.entityId }
}
