import { z } from 'zod'
import { id, time } from '../scalars.ts'

/** A draft that a turn over a channel without a screen has made, to be opened in a browser, once. */
export const PendingOpening = z.object({ id, pending_change_id: id, space_id: id, created_at: time })
export type PendingOpening = z.infer<typeof PendingOpening>
