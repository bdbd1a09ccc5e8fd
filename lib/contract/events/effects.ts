// Effects of the companion on the owner's view. An effect defines what to show, not how: the browser arranges its tabs,
// other clients may present it differently, and a client without a screen ignores it.

import { z } from 'zod'
import { id, version } from '../scalars.ts'

/** Views of a Space that do not show a single entity. */
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

/** Content of a panel: an entity, or a view of its Space. */
export const Panel = z.union([
  z.object({
    space_id: id,
    kind: z.string(),
    id,
    title: z.string(),
    /** Set if the entity does not exist yet and a draft would create it. */
    draft: z.literal(true).optional(),
  }),
  z.object({ space_id: id, view: PanelView, q: z.string().nullable(), title: z.string() }),
])
export type Panel = z.infer<typeof Panel>

/** Placement of a panel: the active tab, or the left or right half of the content area. */
export const PanelSide = z.enum(['here', 'left', 'right'])
export type PanelSide = z.infer<typeof PanelSide>

/** Notification level. Screen readers announce `warning` and `error` at once, and both stay visible longer. */
const NotifyLevel = z.enum(['info', 'success', 'warning', 'error'])

export const Effect = z.discriminatedUnion('type', [
  z.object({ type: z.literal('openPanel'), panel: Panel, side: PanelSide }),
  z.object({ type: z.literal('focusPanel'), panel: Panel }),
  z.object({ type: z.literal('closePanel'), panel: Panel }),
  /** The entity in an open panel has a new version. */
  z.object({ type: z.literal('updateContent'), panel: Panel, version }),
  /** Highlights a passage, opening the panel if necessary. */
  z.object({ type: z.literal('highlight'), panel: Panel, text: z.string() }),
  z.object({ type: z.literal('notify'), level: NotifyLevel, message: z.string() }),
  /** A draft awaits the owner's decision. */
  z.object({ type: z.literal('confirm'), pending_change_id: id, summary: z.string() }),
])
export type Effect = z.infer<typeof Effect>
