import type { Card } from '../../../../lib/contract/changes/card.ts'
import type { AppContext } from '../../../app/app.ts'

export type CardOptions = AppContext & {
  now: Date
  /** The prefix of the ids in it: the same card may be on the page twice. */
  place?: string
  /** Called for a decision made on this card, not elsewhere. */
  onDecided?: (card: Card) => void
  /** Called when this card's draft was replaced by a new one. Left out: the card shows the new one. */
  onReplaced?: (id: string) => void
}
