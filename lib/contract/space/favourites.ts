import { z } from 'zod'
import { id } from '../scalars.ts'

/** A page that is kept at hand in the navigation. */
export const Favourite = z.object({ id, title: z.string() })
export type Favourite = z.infer<typeof Favourite>
