import type { Card, CardLine } from '../../../../lib/contract/changes/card.ts'
import type { AppContext } from '../../../app/app.ts'
import type { IconName } from '../../../ui/components/icon.ts'
import { kindLabel } from '../../../ui/words/addresses.ts'
import { actorName } from '../../../ui/words/names.ts'

type CardState = { word: string; tone: 'amber' | 'plain'; icon: IconName }

/** The state of a draft in a word or two. */
export function cardState({
  status,
  stale,
  entity_type,
}: Pick<CardLine, 'status' | 'stale' | 'entity_type'>): CardState {
  if (status === 'pending' && stale) {
    const what = stale.current_version === null ? 'deleted' : 'changed since'
    return { word: `${kindLabel(entity_type)} ${what}`, tone: 'amber', icon: 'warning' }
  }
  return states[status] ?? { word: status, tone: 'plain', icon: 'archive' }
}

const states: Record<Card['status'], CardState> = {
  pending: { word: 'Pending', tone: 'plain', icon: 'clock' },
  approved: { word: 'Approved', tone: 'plain', icon: 'check' },
  rejected: { word: 'Rejected', tone: 'plain', icon: 'close' },
  superseded: { word: 'Replaced', tone: 'plain', icon: 'archive' },
  retracted: { word: 'Withdrawn', tone: 'plain', icon: 'undo' },
  expired: { word: 'Expired', tone: 'plain', icon: 'clock' },
  obsolete: { word: 'Obsolete', tone: 'plain', icon: 'archive' },
}

/** Whether approving it deletes something: then it is never approved together with others. */
export const isDestructive = ({ operation }: Pick<CardLine, 'operation'>): boolean =>
  operation === 'delete' || operation === 'call'

/** Whether it may be approved together with others of its changeset. */
export const isPlain = (line: CardLine): boolean =>
  line.status === 'pending' && line.stale === null && !isDestructive(line)

/** Who decided, within a sentence. */
export const deciderName = (by: string): string => (by === '' ? 'nobody' : actorName(by))

export type CardOptions = AppContext & {
  now: Date
  /** The prefix of the ids in it: the same card may be on the page twice. */
  place?: string
  /** Called for a decision made on this card, not elsewhere. */
  onDecided?: (card: Card) => void
  /** Called when this card's draft was replaced by a new one. Default: the card shows the new one. */
  onReplaced?: (id: string) => void
}
