import { z } from 'zod'
import { TitledEntity } from '../entities.ts'
import { id, time } from '../scalars.ts'

/** A thing whose title begins, or has a word that begins, as the words typed do. */
export const Suggestion = TitledEntity.extend({
  space_id: id,
  alias: z.string().optional().describe('Another name of it, when that is what answered'),
  updated_at: time,
})
export type Suggestion = z.infer<typeof Suggestion>
