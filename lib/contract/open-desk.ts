import type { PanelView } from './effects.ts'

/** A tab that is open while something is said: what it shows, and whether it is the one shown of its side. */
export type OpenTab = { side: 'left' | 'right'; shown: boolean } & (
  | { kind: string; id: string }
  | { view: PanelView; q: string | null }
)

/** The tabs of the content area, as a turn is told of them; `active` is the side that is worked in. */
export type OpenDesk = { active: 'left' | 'right'; tabs: OpenTab[] }
