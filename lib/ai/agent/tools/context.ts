import { z } from 'zod'
import { readSource, renderRead } from '../render-read.ts'
import type { ReadResult } from '../services.ts'
import type { Tool } from '../tool.ts'
import { updateOf } from '../update-of.ts'

type Result = { view: ReadResult | null }

/** Reads what the owner has open. */
export const contextTool: Tool<Record<string, never>, Result> = {
  name: 'context',
  title: 'See what is open',
  description:
    'Read what the owner is looking at right now. Use it when they say “this page”, “here”, “this task” or leave ' +
    'out what they mean.',
  input: z.object({}),
  capability: 'read',
  actionClass: 'navigational',
  async handler(_input, ctx) {
    if (!ctx.view) return { view: null }
    const { entityType: kind, entityId: id } = ctx.view
    return { view: await ctx.services.read(ctx.actor, { space_id: ctx.space_id, kind, id }) }
  },
  render: ({ view }) =>
    view ? renderRead(view) : 'The owner has nothing open. Ask what they mean, or search for it.',
  given: ({ view }) => (view ? [readSource(view, 'view')] : []),
  summarize: ({ view }) => (view ? `“${view.title}”` : 'nothing open'),
  target: ({ view }) => (view ? { entity_type: view.entity_type, entity_id: view.entity_id } : null),
  effects: ({ view }, _, ctx) => (view ? updateOf(view, ctx) : []),
}
