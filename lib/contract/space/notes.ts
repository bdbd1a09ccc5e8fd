// Templates and the daily note of a Space.

import { z } from 'zod'
import { cleanLine, cleanText } from '../../core/text/clean.ts'
import { moment, recurrence, title, url } from '../entities/fields.ts'
import { kind as task } from '../entities/task.ts'
import { maxClipLength, maxNoteLength } from '../limits.ts'
import { id } from '../scalars.ts'

const name = z.string().overwrite(cleanLine).max(200)

const pattern = z.string().overwrite(cleanLine).min(1).max(100)

export const NoteSettings = z.object({
  templates_page: name.describe('The pages right below one of this title are templates'),
  daily_title: pattern.describe('The title of a daily note, such as YYYY-MM-DD'),
  daily_parent: name.describe('The page that daily notes are below; empty: none'),
  daily_template: name.describe('The template of a daily note; empty, or without one of that title: none'),
})

export type NoteSettings = z.infer<typeof NoteSettings>

export const NoteSettingsChange = z.strictObject({
  templates_page: name.min(1).optional(),
  daily_title: pattern.optional(),
  daily_parent: name.optional(),
  daily_template: name.optional(),
})

export const Template = z.object({ id, title: z.string() })

export type Template = z.infer<typeof Template>

/** Where the owner is, which the server does not know. */
export const LocalMoment = z.strictObject({
  day: z.iso.date(),
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day, HH:MM'),
})

// What is written down or clipped in a hurry, and sent once there is a connection.

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
