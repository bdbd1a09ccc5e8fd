// Field schemas of the kinds. Text is cleaned as it is parsed, so a parsed value is always clean.

import { z } from 'zod'
import { cleanLine, cleanText } from '../../core/text/clean.ts'
import { formatRecurrence, parseRecurrence } from '../../core/text/dates/recurrence.ts'

/** Maximum length of a long text in characters: about 300,000 words. */
export const maxBodyLength = 2_000_000

export const title = () =>
  z.string().overwrite(cleanLine).min(1).max(500).describe('Title; a single line, not empty')

export const line = (max = 500) => z.string().overwrite(cleanLine).max(max)

export const body = () => z.string().overwrite(cleanText).max(maxBodyLength).describe('Markdown')

export const date = () => z.iso.date().describe('Date, YYYY-MM-DD')

export const moment = () =>
  z.iso
    .datetime({ offset: true })
    .overwrite((text) => (Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString()))
    .describe('Date and time with offset, such as 2026-12-24T09:00:00Z')

const isRecurrence = (text: string) => parseRecurrence(text) !== null
const recurrenceForm = 'RFC 5545 recurrence rule, such as FREQ=WEEKLY;BYDAY=MO or FREQ=MONTHLY;INTERVAL=3'

export const recurrence = () =>
  z
    .string()
    .max(100)
    .overwrite((text) => {
      const rule = parseRecurrence(text.trim())
      return rule ? formatRecurrence(rule) : text
    })
    .refine(isRecurrence, recurrenceForm)
    .describe(recurrenceForm)

export const reference = (label: string) => z.uuid().describe(`Id of a ${label} in the same Space`)

/** A URL that can be shown as a link: http, https or mailto. */
export const url = () =>
  z
    .string()
    .overwrite(cleanLine)
    .max(2000)
    .refine((value) => /^(https?:\/\/|mailto:)/i.test(value), 'must start with http://, https:// or mailto:')
