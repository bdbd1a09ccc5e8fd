import { z } from 'zod'
import { cleanLine, cleanText } from '../../core/text/clean.ts'
import { defineKind, textOf } from './kind.ts'

const maxAddresses = 50
const maxBody = 100_000
const maxQuoted = 100_000
const maxReferences = 5000

/** An address that can be used in a header unencoded: no quotes, comments, spaces or non-ASCII letters. */
export const plainAddress =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$/

/** A Message-ID that can be used in a header unencoded. */
export const plainMessageId = /^<[\x21-\x3b\x3d\x3f-\x7e]{1,250}>$/

const addressesIn = (text: string): string[] => (text === '' ? [] : text.split(',').map((one) => one.trim()))

const addresses = (min: number, max = maxAddresses) =>
  z
    .string()
    .overwrite(cleanLine)
    .max(max * 322)
    .refine((text) => {
      const all = addressesIn(text)
      return all.length >= min && all.length <= max && all.every((one) => plainAddress.test(one))
    }, 'must be addresses like anna@example.org, with commas between them')

const messageIds = (max: number) =>
  z
    .string()
    .max(maxReferences)
    .refine((text) => {
      const ids = text === '' ? [] : text.split(' ')
      return ids.length <= max && ids.every((id) => plainMessageId.test(id))
    }, 'must be Message-IDs, with spaces between them')

/** What an agent sends to draft a reply; recipients and subject come from the answered message. */
export const replyRequest = z.object({
  message_id: z.uuid().describe('Id of the message'),
  body: z.string().max(maxBody).describe('Plain text'),
  all: z.boolean().describe('Reply to all'),
})

/** A reply to a mail message. Once approved, it becomes a draft in the owner's mail program. Never sent. */
export const kind = defineKind({
  type: 'reply',
  table: 'replies',
  path: 'replies',
  label: 'reply',
  plural: 'replies',
  fields: z.object({
    from_address: addresses(0, 1),
    to_addresses: addresses(1),
    cc_addresses: addresses(0),
    subject: z.string().overwrite(cleanLine).max(500),
    body: z.string().overwrite(cleanText).min(1).max(maxBody),
    quoted: z.string().overwrite(cleanText).max(maxQuoted),
    in_reply_to: messageIds(1),
    reference_ids: messageIds(50),
    answers_id: z.uuid(),
  }),
  required: ['to_addresses', 'subject', 'body', 'answers_id'],
  defaults: { from_address: '', cc_addresses: '', quoted: '', in_reply_to: '', reference_ids: '' },
  references: { answers_id: 'mail_message' },
  derived: z.object({ title: z.string() }),
  derive: (fields) => ({ title: textOf(fields.subject) || 'No subject' }),
  effect: {
    editable: ['to_addresses', 'cc_addresses', 'subject', 'body'],
    asks: { fields: replyRequest, required: ['message_id', 'body'] },
  },
  internal: true,
})
