import type { AgentMark } from '../../../lib/contract/agents.ts'
import type { AppContext } from '../../app/app.ts'
import type { Cards } from '../../drafts/card/cards.ts'
import type { ConversationPart } from '../state/conversation-part.ts'
import type { CitationChips } from './citation-chips.ts'

/** What every turn of a thread is drawn with; its signal ends with the conversation. */
export type TurnContext = AppContext & {
  cards: Cards
  slug: string
  /** The companion of the thread that is shown. */
  companion: () => AgentMark
  chips: CitationChips
  /** `null` on the server. */
  part: ConversationPart | null
}

/** Under what name the links of a turn are stored in this tab. */
export const offersName = (turnId: string): string => `offers:${turnId}`
