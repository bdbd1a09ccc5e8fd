import type { Card } from './card.ts'
import type { Task } from './entities.ts'

/** An audit row in short, with the title that its thing has now. */
export type ActivityItem = {
  seq: number
  at: string
  actor: string
  action: string
  entity_type: string
  entity_id: string
  title: string
  /** The fields that changed. */
  fields: string[]
  pending_change_id: string | null
}

/** What the home of a Space shows. */
export type SpaceOverview = {
  counts: Record<string, number>
  recent_pages: { id: string; title: string; updated_at: string; updated_by: string }[]
  /** Open ones, by due date. */
  tasks: Task[]
  drafts: { count: number; cards: Card[] }
  activity: ActivityItem[]
}
