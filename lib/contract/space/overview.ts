import { z } from 'zod'
import { AuditRow } from '../audit.ts'
import { Card } from '../changes/card.ts'
import { Task } from '../entities/entities.ts'
import { actor, count, id, time } from '../scalars.ts'

/** An audit row in short, with the title that its thing has now. */
export const ActivityItem = AuditRow.pick({
  seq: true,
  at: true,
  actor: true,
  action: true,
  entity_type: true,
  entity_id: true,
  pending_change_id: true,
}).extend({ title: z.string(), fields: z.array(z.string()).describe('The fields that changed') })
export type ActivityItem = z.infer<typeof ActivityItem>

/** What the home of a Space shows. */
export const SpaceOverview = z.object({
  counts: z.record(z.string(), count),
  recent_pages: z.array(z.object({ id, title: z.string(), updated_at: time, updated_by: actor })),
  tasks: z.array(Task).describe('Open ones, by due date'),
  drafts: z.object({ count, cards: z.array(Card) }),
  activity: z.array(ActivityItem),
})
export type SpaceOverview = z.infer<typeof SpaceOverview>
