import { z } from 'zod'
import type { Kind } from '../../../contract/entities/kind.ts'
import type { Panel } from '../../../contract/events/effects.ts'
import { quoteName } from '../../../core/text/quote-name.ts'
import type { Tool } from '../registry.ts'

type Input = { kind: string; id: string; text: string }
type Result = { panel: Panel; text: string }

/** Marks a passage where the owner can see it. The words must really be there. */
export function createHighlightTool(kinds: readonly Kind[]): Tool<Input, Result> {
  return {
    name: 'highlight',
    title: 'Mark a passage',
    description:
      'Show the owner a highlighted passage in context. text is one or two sentences, copied exactly from what you read.',
    input: z.object({
      kind: z.enum(kinds.map(({ type }) => type)),
      id: z.uuid(),
      text: z.string().trim().min(1).max(600),
    }),
    capability: 'read',
    actionClass: 'navigational',
    async handler({ kind, id, text }, ctx) {
      const { space_id } = ctx
      const found = await ctx.services.findQuotedText(ctx.actor, { space_id, kind, id, text })
      if (!found) return { error: 'The text was not found there. Read it again and copy the text exactly.' }
      return { panel: { space_id, kind, id, title: found.title }, text }
    },
    render: ({ panel }) => `Marked in ${quoteName(panel.title, 60)}.`,
    given: () => [],
    summarize: ({ panel }) => `“${panel.title}”`,
    target: (_, { kind, id, text }) => ({ entity_type: kind, entity_id: id, passage: text }),
    effects: ({ panel, text }) => [{ type: 'highlight', panel, text }],
  }
}
