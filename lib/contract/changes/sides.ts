import { z } from 'zod'

/** Two sides of one thing: as it is, and as it would be. */
export type Sides<Value> = { before: Value; after: Value }

export const sidesOf = <Value extends z.ZodType>(value: Value) => z.object({ before: value, after: value })
