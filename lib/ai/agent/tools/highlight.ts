import { z } from 'zod'
import type { Kind } from '../../../contract/entities/kind.ts'
import type { Panel } from '../../../contract/events/effects.ts'
import { quoteName } from '../../../core/text/quote-name.ts'
import { kindNames } from '../check-proposal.ts'
import { notListed, type Tool } from '../registry.ts'

type Input = { kind: string; id: string; text: string }
type Result = { panel: Panel; text: string }

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
        .describe('Kind, as results name it')
        .meta(notListed),
      id: z.uuid().describe('Its id'),
      text: z.string().trim().min(1).max(600).describe('Words as they stand there'),
    }),
    names: {
      type: 'kind',
      entity_type: 'kind',
      entity_id: 'id',
      quote: 'text',
      passage: 'text',
      words: 'text',
      page: 'path',
      title: 'path',
    },
    values: kindNames,
    byPath: { id: 'id', kind: 'kind' },
    capability: 'read',
    actionClass: 'navigational',
    async handler({ kind, id, text }, ctx) {
      const { space_id } = ctx
      const found = await ctx.services.findQuotedText(ctx.actor, { space_id, kind, id, text })
      if (!found) return { error: 'The text was not found there. Read it again and copy the text exactly.' }
      if (found.count > 1)
        return {
          error: `These words stand there ${found.count} times. Send more of the words around the place that you mean.`,
        }
      return { panel: { space_id, kind, id, title: found.title }, text }
    },
    render: ({ panel }) => `Marked in ${quoteName(panel.title, 60)}.`,
    given: () => [],
    summarize: ({ panel }) => `“${panel.title}”`,
    target: (_, { kind, id, text }) => ({ entity_type: kind, entity_id: id, passage: text }),
    effects: ({ panel, text }) => [{ type: 'highlight', panel, text }],
  }
}
