// What the companion does to the owner's view. An effect says what is to be seen, never how: the browser arranges
// its tabs, another client may do it otherwise, and one without a screen leaves it out.

/** Views of a Space that hold no single thing. */
export type PanelView =
  | 'home'
  | 'pages'
  | 'tasks'
  | 'projects'
  | 'refs'
  | 'resources'
  | 'source-docs'
  | 'search'
  | 'activity'
  | 'inbox'
  | 'trash'

/** Something that can be open: one entity, or a view of its Space. */
export type Panel =
  | { space_id: string; kind: string; id: string; title: string }
  | { space_id: string; view: PanelView; q: string | null; title: string }

/** Where a panel goes: the tab in use, or the left or right half of the content area. */
export type PanelSide = 'here' | 'left' | 'right'

export type Effect =
  | { type: 'openPanel'; panel: Panel; side: PanelSide }
  | { type: 'focusPanel'; panel: Panel }
  | { type: 'closePanel'; panel: Panel }
  /** What an open panel shows has another version than the one that it shows. */
  | { type: 'updateContent'; panel: Panel; version: number }
  /** Marks a passage, in a panel that is opened for it if need be. */
  | { type: 'highlight'; panel: Panel; text: string }
  | { type: 'notify'; message: string }
  /** A draft waits for the owner's word. */
  | { type: 'confirm'; pending_change_id: string; summary: string }
