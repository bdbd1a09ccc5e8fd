import type { AppContext } from '../../app/app.ts'
import type { Cards } from '../../card/cards.ts'
import type { Turn } from '../state/turn-state.ts'
import type { CitationChips } from './citation-chips.ts'

/** What every turn of a thread is drawn with; its signal ends with the conversation. */
export type TurnContext = AppContext & {
  cards: Cards
  slug: string
  /** The agent's name. */
  companion: string
  chips: CitationChips
  retry(turn: Turn): void
}
