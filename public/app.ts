// What all parts of the page share.

import type { CompanionState } from '../lib/contract/companion.ts'
import type { Effect } from '../lib/contract/effects.ts'
import type { Space, TreePage } from '../lib/contract/entities.ts'
import type { Citation } from '../lib/contract/events.ts'
import type { LiveEvent } from '../lib/contract/live.ts'
import type { OpenDesk } from '../lib/contract/open-desk.ts'
import type { Api } from './api.ts'
import type { Cards } from './card/cards.ts'
import type { Side, Tab } from './desk/desk-state.ts'
import type { Keys } from './keys.ts'
import type { Prefs } from './prefs.ts'
import type { Store } from './state.ts'
import type { Subject } from './view.ts'

export type AppState = {
  spaces: Space[]
  /** The Space of the navigation and the rail. */
  space: Space | null
  /** Pages of the tree that are loaded, in order within their level. */
  tree: TreePage[]
  /** The conversation in use in that Space, as it was when the Space was entered. */
  companion: CompanionState | null
  /** Drafts that wait, in all Spaces. */
  inbox: number
  /** The path that is shown. */
  path: string
  /** What the view shows, for the companion. */
  subject: Subject | null
  /** The address that is shown, and what its tab says. */
  here: Tab
  /** How the text that is being written stands; `null`: nothing is written. */
  saving: 'unsaved' | 'saving' | 'error' | null
  /** What the pane beside shows, while it is there. */
  beside: { tab: Tab; subject: Subject | null; saving: AppState['saving'] } | null
  /** The half that is worked in: what the companion is told that the owner looks at. */
  active: Side
  /** The entities that the companion is reading. */
  reading: readonly string[]
  connection: 'connecting' | 'live' | 'lost'
}

export type ToastOptions = {
  /** A second thought, such as Undo. */
  action?: { label: string; run: () => void | Promise<void> }
  tone?: 'plain' | 'problem'
}

export type LiveSource = {
  /** Calls back on each event until the signal is aborted. After missed events: `hello` with `resumed` false. */
  on(handler: (event: LiveEvent) => void, signal: AbortSignal): void
  /** Tells of something that is known from elsewhere to have happened. */
  tell(event: LiveEvent): void
}

export type App = {
  api: Api
  state: Store<AppState>
  live: LiveSource
  keys: Keys
  prefs: Store<Prefs>
  cards: Cards
  now: () => Date
  /** Goes to an address of the app, as a click on a link would. */
  navigate(href: string, options?: { replace?: boolean }): Promise<void>
  /** A short message at the edge, read out too. Stays longer when it has an action, and while it is hovered. */
  toast(message: string, options?: ToastOptions): void
  /** Says something to a screen reader, once. */
  announce(message: string): void
  /** Opens the source of a citation with the passage marked. */
  openCitation(citation: Citation): void
  /** Does what the companion wants to show, or returns false where the owner moves the view alone. */
  applyEffect(effect: Effect): Promise<boolean>
  /** The open tabs, for a message that is said now, but for the entity with that id. `null` before there are any. */
  openDesk(without: string | null): OpenDesk | null
  /** Opens the search palette; prevents what the event would have done. */
  openPalette(event?: Event): void
  /** Shows or hides the companion. Where it has a column of its own, the choice is remembered. */
  toggleRail(open: boolean): void
  /** On a phone: shows or hides the navigation. */
  toggleNav(open: boolean): void
  /** Ends with the page. */
  signal: AbortSignal
}

/** What the owner looks at: in the half that is worked in. */
export const lookedAt = ({ active, beside, subject }: AppState): Subject | null =>
  active === 'right' && beside ? beside.subject : subject

/** What a page begins with, before anything has been done in it. */
export const startState = {
  connection: 'connecting',
  saving: null,
  beside: null,
  active: 'left',
  reading: [],
} as const
