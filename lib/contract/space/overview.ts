import { z } from 'zod'
import { Card } from '../changes/card.ts'
import { Task } from '../entities.ts'
import { actor, count, id, time } from '../scalars.ts'
import { maxCounted } from './counted.ts'

export const bounded = count.describe(`Counted up to ${maxCounted}; one more stands for more`)

/** What the home of a Space shows. */
export const SpaceOverview = z.object({
  counts: z.record(z.string(), bounded),
  recent_pages: z
    .array(z.object({ id, title: z.string(), updated_at: time, updated_by: actor }))
    .describe('Those worked on last; what an import wrote last is in `imported`'),
  imported: z
    .object({ count: bounded, at: time })
    .nullable()
    .describe('The pages that nobody has touched since they were imported, and when the last of them was'),
  thread: z
    .object({ id, title: z.string(), last_activity_at: time })
    .nullable()
    .describe('The one used last'),
  tasks: z.array(Task).describe('Open ones, by due date'),
  drafts: z.object({ count: bounded, cards: z.array(Card) }),
})
export type SpaceOverview = z.infer<typeof SpaceOverview>
