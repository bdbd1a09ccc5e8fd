import type { OpenDesk } from '../../../lib/contract/companion/open-desk.ts'
import type { Effect } from '../../../lib/contract/events/effects.ts'
import type { AppContext, TabOrigin } from '../../app/app.ts'
import type { Cards } from '../../drafts/card/cards.ts'

/** How the companion changes the tabs, and what is sent to it about them. */
export type RailDesk = {
  /** Applies an effect. Resolves to false where the owner has to open its subject. */
  applyEffect(effect: Effect, origin: TabOrigin): Promise<boolean>
  /** The open tabs, but for the entity with that id. `null` before there are any. */
  openTabs(without: string | null): OpenDesk | null
}

export type RailContext = AppContext & { cards: Cards; desk: RailDesk }
