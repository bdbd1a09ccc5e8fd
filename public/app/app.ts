// What the parts of the page share. A part that needs less takes `Pick<App, 'api' | 'toast'>`.

import type { OpenDesk, ViewedList } from '../../lib/contract/companion/open-desk.ts'
import type { Space } from '../../lib/contract/entities/entities.ts'
import type { ToastOptions } from '../ui/components/toasts.ts'
import type { Api } from './api/api.ts'
import type { LiveSource } from './api/live.ts'
import type { AppState } from './app-state.ts'
import type { Keys } from './keys.ts'
import type { Prefs } from './prefs.ts'
import type { Store } from './state.ts'

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
