// What the companion does to the owner's view. An effect says what is to be shown, never how: the browser arranges
// its tabs, another client may do it otherwise, and one without a screen leaves it out.

import { z } from 'zod'
import { id, version } from '../scalars.ts'

/** Views of a Space that hold no single thing. */
export const PanelView = z.enum([
  'home',
  'pages',
  'tasks',
  'projects',
  'refs',
  'resources',
  'source-docs',
  'search',
  'activity',
  'inbox',
  'trash',
])
export type PanelView = z.infer<typeof PanelView>

/** Something that can be open: one entity, or a view of its Space. */
export const Panel = z.union([
  z.object({
    space_id: id,
    kind: z.string(),
    id,
    title: z.string(),
    /** It does not exist yet: a draft would make it. */
    draft: z.literal(true).optional(),
  }),
  z.object({ space_id: id, view: PanelView, q: z.string().nullable(), title: z.string() }),
])
export type Panel = z.infer<typeof Panel>

/** Where a panel goes: the tab in use, or the left or right half of the content area. */
export const PanelSide = z.enum(['here', 'left', 'right'])
export type PanelSide = z.infer<typeof PanelSide>

/** How much a sentence matters: a `warning` and an `error` are said at once to a screen reader, and stay longer. */
const NotifyLevel = z.enum(['info', 'success', 'warning', 'error'])

export const Effect = z.discriminatedUnion('type', [
  z.object({ type: z.literal('openPanel'), panel: Panel, side: PanelSide }),
  z.object({ type: z.literal('focusPanel'), panel: Panel }),
  z.object({ type: z.literal('closePanel'), panel: Panel }),
  /** What an open panel shows has another version than the one that it shows. */
  z.object({ type: z.literal('updateContent'), panel: Panel, version }),
  /** Marks a passage, in a panel that is opened for it if need be. */
  z.object({ type: z.literal('highlight'), panel: Panel, text: z.string() }),
  z.object({ type: z.literal('notify'), level: NotifyLevel, message: z.string() }),
  /** A draft waits for the owner's decision. */
  z.object({ type: z.literal('confirm'), pending_change_id: id, summary: z.string() }),
])
export type Effect = z.infer<typeof Effect>
