// What happened, as every open tab hears it. An event says that something changed, not what it is now: who shows the
// thing asks for it again.

import type { ChangeAction, ChangeStatus } from './card.ts'

export type LiveEvent =
  /** First on every connection. `resumed` is false when events may have been missed: whatever is shown is to be asked for again. */
  | { type: 'hello'; data: { resumed: boolean; version: string } }
  | {
      type: 'entity'
      data: {
        kind: string
        id: string
        space_id: string
        version: number
        action: 'create' | 'update' | 'delete' | 'restore'
      }
    }
  | { type: 'space'; data: { id: string; action: 'create' | 'update' | 'delete' | 'restore' } }
  | {
      type: 'change'
      data: {
        id: string
        space_id: string
        changeset_id: string
        entity_id: string
        action: ChangeAction
        status: ChangeStatus
        /** Set when what was approved was taken back, or given its effect again. */
        undone?: boolean
      }
    }
  /** A conversation got another title or summary, was archived, deleted or brought back. */
  | { type: 'conversation'; data: { id: string; space_id: string; state: 'active' | 'archived' | 'deleted' } }
  /** How many drafts wait for the owner. */
  | { type: 'inbox'; data: { count: number } }
  | {
      type: 'turn'
      data: {
        turn_id: string
        conversation_id: string
        space_id: string
        state: 'queued' | 'started' | 'ended'
      }
    }
