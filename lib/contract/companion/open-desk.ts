// What the owner looks at while something is said. Sent with a message and stored with it; says nothing of what exists.

import { z } from 'zod'
import { cleanLine } from '../../core/text/clean.ts'
import { PanelView } from '../events/effects.ts'
import { id, time } from '../scalars.ts'

/** The entity in view. */
export const ViewedEntity = z.strictObject({ entityType: z.string().max(40), entityId: id })

export type ViewedEntity = z.infer<typeof ViewedEntity>

const rows = z.array(z.strictObject({ kind: z.string().overwrite(cleanLine).max(40), id })).max(40)

/** A view of the Space, such as a list, as it is on the screen. */
export const ViewedList = z.strictObject({
  entityType: z.literal('view'),
  entityId: PanelView,
  q: z.string().overwrite(cleanLine).max(200).nullable().optional().describe('What is searched for'),
  filters: z
    .record(z.string().regex(/^[a-z_]{1,20}$/), z.string().overwrite(cleanLine).max(100))
    .refine((filters) => Object.keys(filters).length <= 10, 'at most 10')
    .optional()
    .describe('Such as { "status": "open" }, as in the address of the view'),
  rows: rows.optional().describe('The ones in sight; left out: the first ones of the list'),
  selected: rows.optional(),
})

export type ViewedList = z.infer<typeof ViewedList>

/** What the owner looks at. */
export const Viewed = z.union([ViewedList, ViewedEntity])

export type Viewed = z.infer<typeof Viewed>

export const isList = (view: Viewed): view is ViewedList => view.entityType === 'view'

const side = z.enum(['left', 'right'])

const place = { side, shown: z.boolean() }

/** A tab: what it shows, and whether it is the one shown of its side. */
export const OpenTab = z.union([
  z.strictObject({ ...place, kind: z.string().max(40), id }),
  z.strictObject({
    ...place,
    view: PanelView,
    q: z.string().overwrite(cleanLine).max(200).nullable().default(null),
  }),
])

export type OpenTab = z.infer<typeof OpenTab>

/** The tabs of the content area; `active` is the side that is worked in. */
export const OpenDesk = z.strictObject({ active: side, tabs: z.array(OpenTab).max(40) })

export type OpenDesk = z.infer<typeof OpenDesk>

/** A draft that a turn over a channel without a screen has made, to be opened in a browser, once. */
export const PendingOpening = z.object({ id, pending_change_id: id, space_id: id, created_at: time })

export type PendingOpening = z.infer<typeof PendingOpening>
