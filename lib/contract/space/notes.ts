// Templates and daily notes of a Space.

import { z } from 'zod'
import { cleanLine, cleanText } from '../../core/text/clean.ts'
import { moment, recurrence, title, url } from '../entities/fields.ts'
import { kind as task } from '../entities/task.ts'
import { maxClipLength, maxNoteLength } from '../limits.ts'
import { id } from '../scalars.ts'

const name = z.string().overwrite(cleanLine).max(200)

const pattern = z.string().overwrite(cleanLine).min(1).max(100)

export const NoteSettings = z.object({
  templates_page: name.describe('Title of the page whose direct children are templates'),
  daily_title: pattern.describe(
    'Title pattern of daily notes, such as YYYY-MM-DD; before a slash: the pages above it',
  ),
  daily_parent: name.describe('Title or folder of the parent page of daily notes; empty: none'),
  daily_template: name.describe('Title of the template for daily notes; empty or no match: none'),
})

export type NoteSettings = z.infer<typeof NoteSettings>

export const defaultNoteSettings: NoteSettings = {
  templates_page: 'Templates',
  daily_title: 'YYYY-MM-DD',
  daily_parent: 'Daily notes',
  daily_template: 'Daily note',
}

export const NoteSettingsChange = z.strictObject({
  templates_page: name.min(1).optional(),
  daily_title: pattern.optional(),
  daily_parent: name.optional(),
  daily_template: name.optional(),
})

export const Template = z.object({ id, title: z.string() })

export type Template = z.infer<typeof Template>

/** The owner's local date and time, unknown to the server. */
export const LocalMoment = z.strictObject({
  day: z.iso.date(),
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day, HH:MM'),
})

// Quick notes and clipped pages, sent once a connection is available.

const note = z.string().overwrite(cleanText).max(maxNoteLength)

const written = note.refine((text) => text.trim() !== '', 'Must not be empty')

const text = written.describe('First line: title; remaining lines: text')

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
    text: note.default('').describe('Your own note, placed before the text of the page'),
    html: z
      .string()
      .overwrite(cleanText)
      .max(maxClipLength)
      .optional()
      .describe('HTML of the page or a part of it; its article becomes the text'),
  }),
])

export type Capture = z.input<typeof Capture>
