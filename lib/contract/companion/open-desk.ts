// The owner's view when a message is sent. Sent and stored with the message; not proof that an entity exists.

import { z } from 'zod'
import { cleanLine, cleanText } from '../../core/text/clean.ts'
import { PanelView } from '../events/effects.ts'
import { id, time } from '../scalars.ts'

/** The viewed entity. */
export const ViewedEntity = z.strictObject({
  entityType: z.string().max(40),
  entityId: id,
  selection: z.string().overwrite(cleanText).max(2000).optional().describe('Selected words of its text'),
})

export type ViewedEntity = z.infer<typeof ViewedEntity>

const rows = z.array(z.strictObject({ kind: z.string().overwrite(cleanLine).max(40), id })).max(40)

/** A view of the Space, such as a list, as shown on the screen. */
export const ViewedList = z.strictObject({
  entityType: z.literal('view'),
  entityId: PanelView,
  q: z.string().overwrite(cleanLine).max(200).nullable().optional().describe('Search query of the view'),
  filters: z
    .record(z.string().regex(/^[a-z_]{1,20}$/), z.string().overwrite(cleanLine).max(100))
    .refine((filters) => Object.keys(filters).length <= 10, 'at most 10')
    .optional()
    .describe('Filters as in the URL of the view, such as { "status": "open" }'),
  rows: rows.optional().describe('Visible rows. Default: the first rows of the list'),
  selected: rows.optional(),
})

export type ViewedList = z.infer<typeof ViewedList>

/** The owner's current view. */
export const Viewed = z.union([ViewedList, ViewedEntity])

export type Viewed = z.infer<typeof Viewed>

/** A view in a request: a kind alone is the list of its entities. */
export const RequestedView = z.union([
  Viewed,
  z.strictObject({ entityType: z.string().max(40).describe('A kind, such as task') }),
])

/** `lists`: the kinds that have a list, with the view that it is; another kind alone says nothing. */
export function toViewed(
  view: z.infer<typeof RequestedView> | null | undefined,
  lists: readonly { type: string; path: string }[],
): Viewed | undefined {
  if (!view || 'entityId' in view) return view ?? undefined
  const list = PanelView.safeParse(lists.find(({ type }) => type === view.entityType)?.path)
  return list.success ? { entityType: 'view', entityId: list.data } : undefined
}

export const isList = (view: Viewed): view is ViewedList => view.entityType === 'view'

const side = z.enum(['left', 'right'])

const place = { side, shown: z.boolean() }

/** A tab: its content, and whether it is the active tab of its side. */
export const OpenTab = z.union([
  z.strictObject({ ...place, kind: z.string().max(40), id }),
  z.strictObject({
    ...place,
    view: PanelView,
    q: z.string().overwrite(cleanLine).max(200).nullable().default(null),
  }),
])

export type OpenTab = z.infer<typeof OpenTab>

/** The tabs of the content area; `active` is the side in use. */
export const OpenDesk = z.strictObject({ active: side, tabs: z.array(OpenTab).max(40) })

export type OpenDesk = z.infer<typeof OpenDesk>

/** A draft created over a channel without a screen, to be opened once in a browser. */
export const PendingOpening = z.object({ id, pending_change_id: id, space_id: id, created_at: time })

export type PendingOpening = z.infer<typeof PendingOpening>
