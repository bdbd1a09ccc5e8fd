// What is written down or clipped in a hurry, and sent once there is a connection.

import { z } from 'zod'
import { cleanText } from '../../core/text/clean.ts'
import { maxClipLength, maxNoteLength } from '../companion-facts.ts'
import { moment, recurrence, title, url } from '../entities/fields.ts'
import { kind as task } from '../entities/task.ts'

const note = z.string().overwrite(cleanText).max(maxNoteLength)
const written = note.refine((text) => text.trim() !== '', 'Must not be empty')
const text = written.describe('The first line is the title, the rest the text')

export const Capture = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('page'), text }),
  z.strictObject({
    kind: z.literal('task'),
    text,
    due_on: z.iso.date().optional(),
    priority: task.fields.shape.priority.optional(),
    recurrence: recurrence().optional(),
    remind_at: moment().optional(),
  }),
  z.strictObject({
    kind: z.literal('ref'),
    title: title(),
    url: url(),
    text: note.default('').describe('Your own words, placed before the text of the page'),
    html: z
      .string()
      .overwrite(cleanText)
      .max(maxClipLength)
      .optional()
      .describe('The page, or a part of it: its article becomes the text'),
  }),
])
export type Capture = z.input<typeof Capture>
