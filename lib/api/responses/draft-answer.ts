import { canAct } from '../../auth/capability.ts'
import {
  type DraftAnswer,
  DraftReceipt,
  type PendingChangeWithCard,
} from '../../contract/changes/pending-change.ts'
import type { Actor } from '../../core/actor.ts'

/** What `actor` is answered about a draft: all of it, or a receipt when it may not read what the card shows. */
export function draftAnswer(actor: Actor, draft: PendingChangeWithCard): DraftAnswer {
  return canAct(actor, 'read', draft.entity_type) === 'allow' ? draft : DraftReceipt.parse(draft)
}
