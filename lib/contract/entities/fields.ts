// Field schemas of the kinds. Text is cleaned as it is parsed, so a parsed value is always clean.

import { z } from 'zod'
import {
  formatRecurrence,
  maxRecurrence,
  parseRecurrence,
  recurrenceProblem,
} from '../../core/schedule/recurrence.ts'
import { cleanLine, cleanText } from '../../core/text/clean.ts'
import { problemOfPath } from '../../core/text/paths.ts'

/** Maximum length of a long text in characters: about 300,000 words. */
export const maxBodyLength = 2_000_000

export const title = () => z.string().overwrite(cleanLine).min(1).max(500).describe('Title')

export const line = (max = 500) => z.string().overwrite(cleanLine).max(max)

export const body = () => z.string().overwrite(cleanText).max(maxBodyLength).describe('Markdown')

export const date = () => z.iso.date().describe('Date such as 2026-12-31')

export const moment = () =>
  z.iso
    .datetime({ offset: true })
    .overwrite((text) => (Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString()))
    .describe('Date and time with offset, such as 2026-12-24T09:00:00Z')

const isRecurrence = (text: string) => recurrenceProblem(text) === null
const recurrenceForm =
  'RFC 5545 recurrence rule, such as FREQ=WEEKLY;BYDAY=MO or FREQ=MONTHLY;BYDAY=-1FR;COUNT=6; days left out as a line EXDATE:20261225'

export const recurrence = () =>
  z
    .string()
    .max(maxRecurrence)
    .overwrite((text) => {
      const rule = parseRecurrence(text.trim())
      return rule ? formatRecurrence(rule) : text
    })
    .refine(isRecurrence, { error: ({ input }) => recurrenceProblem(String(input)) ?? recurrenceForm })
    .describe('Such as FREQ=WEEKLY;BYDAY=MO')

export const reference = (label: string) => z.uuid().describe(`Id of its ${label}`)

/** A URL that can be shown as a link: http, https or mailto. */
export const url = () =>
  z
    .string()
    .overwrite(cleanLine)
    .max(2000)
    .refine((value) => /^(https?:\/\/|mailto:)/i.test(value), 'must start with http://, https:// or mailto:')

/** The path of a page or a file in its Space; `null`: not given yet. */
export const path = () =>
  z
    .string()
    .max(2000)
    .superRefine((value, context) => {
      const problem = problemOfPath(value)
      if (problem !== null) context.addIssue({ code: 'custom', message: `the path ${problem}` })
    })
    .nullable()
    .describe('Such as People/Alice Chen.md')
