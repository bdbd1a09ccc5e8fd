// Templates and the daily note of a Space.

import { z } from 'zod'
import { cleanLine } from '../../core/text/clean.ts'
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
