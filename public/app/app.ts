// What the parts of the page share. A part that needs less takes `Pick<App, 'api' | 'toast'>`.

import type { CompanionState } from '../../lib/contract/companion/companion.ts'
import type { OpenDesk, ViewedList } from '../../lib/contract/companion/open-desk.ts'
import type { Space } from '../../lib/contract/entities.ts'
import type { Favourite } from '../../lib/contract/space/home.ts'
import type { ToastOptions } from '../ui/components/toasts.ts'
import type { Api } from './api/api.ts'
import type { LiveSource } from './api/live.ts'
import type { Keys } from './keys.ts'
import type { Prefs } from './prefs.ts'
import type { Store } from './state.ts'
import type { TreeLevel } from './tree-levels.ts'

export type App = {
  api: Api
  state: Store<AppState>
  live: LiveSource
  keys: Keys
  prefs: Store<Prefs>
  now: () => Date
  /** Opens a URL of the app, as a click on a link does. */
  navigate(href: string, options?: { replace?: boolean }): Promise<void>
  /** Shows what is open in the right half there, instead of a second time. Set once the tabs have started. */
  openBeside?: (href: string) => boolean
  /** A short message at the edge, read out too. Stays longer when it has an action, and while it is hovered. */
  toast(message: string, options?: ToastOptions): void
  /** A message for screen readers only. */
  announce(message: string): void
  panels: Panels
  /** The list that is in view among these tabs. Set once the code for it has loaded. */
  lookedAt?: (desk: OpenDesk | null) => ViewedList | null
  /** Asks for a window to be watched by the glance of a Space. Set once the code for it has loaded. Never rejects. */
  watchWindow?: (space: Space) => Promise<void>
}

/** An app, and the end of the part that uses it. Hand `signal` to every listener, watcher and request. */
export type AppContext = { app: App; signal: AbortSignal }

/** What stands around the view and over it. */
export type Panels = {
  /** Shows or hides the companion. Where it has a column of its own, the choice is stored. */
  toggleRail(open: boolean): void
  /** On a phone: shows or hides the navigation. */
  toggleNav(open: boolean): void
  /** Opens the search palette; prevents the event's default action. */
  /** `navigate`: where what is chosen opens, if not in this page. */
  openPalette(event?: Event, navigate?: App['navigate']): void
}

/** The open entity, as it is sent to the companion. */
export type Subject = {
  entityType: string
  entityId: string
  title: string
  /** The version that is shown, where the view shows one as it was read. */
  version?: number
}

/** A pane of the content area. */
export type Side = 'left' | 'right'

/** The call that opened a tab, and what its conversation was called then. */
export type TabOrigin = { turn: string; call: string | null; thread: string }

export type Tab = {
  /** Its address: path and query. No two tabs of a side have the same. */
  href: string
  title: string
  /** What it shows, for its icon: a kind or the name of a view. */
  kind: string
  /** Default: the owner opened it. */
  origin?: TabOrigin
}

/** Whether the text in the editor has reached the server; `null`: no editor is open. */
export type SaveStatus = 'unsaved' | 'saving' | 'error' | null

type Connection = 'connecting' | 'live' | 'lost'

export type AppState = {
  spaces: Space[]
  /** The Space of the navigation and the rail. */
  space: Space | null
  /** The page tree as far as it is loaded. */
  tree: TreeLevel[]
  /** Pages that are kept at hand, in the owner’s order. */
  favourites: Favourite[]
  /** What the Space holds anything of: types of entities, `mail` and `research`. */
  contents: readonly string[]
  /** Changes of them that are being saved. */
  favouriteSaves: number
  /** The conversation in use in that Space, as it was when the Space was entered. */
  companion: CompanionState | null
  /** Pending drafts in all Spaces. */
  inbox: number
  /** The path that is shown. */
  path: string
  /** What the view shows, for the companion. */
  subject: Subject | null
  /** The URL that is shown, and the title of its tab. */
  here: Tab
  saving: SaveStatus
  /** What the right pane shows, while the content area is split. */
  beside: { tab: Tab; subject: Subject | null; saving: SaveStatus } | null
  /** The pane that has the focus. */
  active: Side
  /** Ids of the entities that the companion is reading. */
  reading: readonly string[]
  connection: Connection
}

/** The subject of the pane that has the focus. */
export const activeSubject = ({ active, beside, subject }: AppState): Subject | null =>
  active === 'right' && beside ? beside.subject : subject

/** The state of a page in which nothing has been done yet. */
export const initialState = {
  connection: 'connecting',
  favouriteSaves: 0,
  saving: null,
  beside: null,
  active: 'left',
  reading: [],
} as const satisfies Partial<AppState>
