// What the tools for mail ask for, and what they are given.

import type { MailDirection, MailPerson } from '../../contract/mail.ts'

export type MailSearch = {
  space_id: string
  /** Left out: the latest that the rest lets through. */
  q?: string | undefined
  from?: string | undefined
  to?: string | undefined
  subject?: string | undefined
  /** ISO 8601: sent at or after, and before. */
  after?: string | undefined
  before?: string | undefined
  has_attachment?: boolean | undefined
}

/** A message, without its text. */
export type MailFacts = {
  id: string
  thread_id: string
  subject: string
  from: MailPerson
  to: MailPerson[]
  sent_at: string
  direction: MailDirection
  /** Names. */
  attachments: string[]
}

/** A passage of a message. */
export type FoundMail = MailFacts & { ordinal: number | null; text: string }

export type MailThreadRequest = {
  space_id: string
  /** Of the thread, or of a message in it. */
  id: string
  /** The message to begin with, counted from 1, and its line. */
  message: number
  line: number
  /** One of its attachments instead of the messages, counted from 1. */
  attachment?: number | undefined
}

export type ReadMail = MailFacts & {
  /** Counted from 1. */
  number: number
  blocks: string[]
  from_line: number
  to_line: number
  total_lines: number
}

/** The text of an attachment, or a part of it. */
export type ReadAttachment = MailFacts & {
  name: string
  problem: string | null
  blocks: string[]
  from_line: number
  to_line: number
  total_lines: number
}

export type MailThreadRead = {
  id: string
  subject: string
  total: number
  messages: ReadMail[]
  /** What was asked for in place of the messages. */
  attachment?: ReadAttachment
  /** Where to go on; null: that was all. */
  next: { message: number; line: number } | null
}
