import type { CompanionState } from '../../lib/contract/companion/companion.ts'
import type { Space } from '../../lib/contract/entities/entities.ts'
import type { Favourite } from '../../lib/contract/space/favourites.ts'
import type { TreePage } from '../../lib/contract/space/page-tree.ts'

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
  /** Left out: the owner opened it. */
  origin?: TabOrigin
}

/** Whether the text in the editor has reached the server; `null`: no editor is open. */
export type SaveStatus = 'unsaved' | 'saving' | 'error' | null

type Connection = 'connecting' | 'live' | 'lost'

export type AppState = {
  spaces: Space[]
  /** The Space of the navigation and the rail. */
  space: Space | null
  /** Pages of the tree that are loaded, in order within their level. */
  tree: TreePage[]
  /** Pages that are kept at hand, in the owner’s order. */
  favourites: Favourite[]
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
  saving: null,
  beside: null,
  active: 'left',
  reading: [],
} as const satisfies Partial<AppState>
