// Mail of a Space: accounts, threads and messages.

import { z } from 'zod'
import { count, id, time } from './scalars.ts'

export const MailSecurity = z
  .enum(['tls', 'starttls', 'none'])
  .describe('Connection security. none: only allowed for a loopback address')
export type MailSecurity = z.infer<typeof MailSecurity>

export const MailAccountState = z
  .enum(['waiting', 'connecting', 'syncing', 'watching', 'retrying', 'stopped', 'paused'])
  .describe(
    'watching: up to date and waiting for new mail; retrying: the server did not respond; stopped: until its settings change or a sync is requested; paused: by the owner',
  )
export type MailAccountState = z.infer<typeof MailAccountState>

const MissingFolder = z.object({
  path: z.string(),
  messages: count.describe('Number of its messages, which are kept'),
  proposed: z.string().nullable().describe('The folder with the same messages; null: none was found'),
})
export type MissingFolder = z.infer<typeof MissingFolder>

export const MailAccount = z.object({
  id,
  space_id: id,
  address: z.string(),
  aliases: z.array(z.string()).describe('Other addresses of the owner; mail from them counts as sent'),
  host: z.string(),
  port: z.int(),
  security: MailSecurity,
  username: z.string(),
  folders: z.array(z.string()).nullable().describe('Folders to sync; null: inbox, sent mail and archive'),
  missing_folders: z
    .array(MissingFolder)
    .describe('Folders that were synced and are no longer on the server, until the owner decides'),
  drafts_allowed: z.boolean().describe('`true` if approved replies are saved to its Drafts folder'),
  oauth: z
    .object({
      token_url: z.string(),
      client_id: z.string(),
      scope: z.string(),
      has_client_secret: z.boolean(),
    })
    .nullable()
    .describe('OAuth configuration; null: password sign-in'),
  state: MailAccountState,
  error: z
    .string()
    .nullable()
    .describe('Reason for the state retrying or stopped, or for a failed sync of a paused account'),
  last_sync_at: time.nullable(),
  messages: count,
  unreadable: count.describe('Number of messages on the server that could not be read'),
  created_at: time,
  updated_at: time,
})
export type MailAccount = z.infer<typeof MailAccount>

export const MailTest = z.object({
  ok: z.boolean(),
  error: z.string().nullable(),
  folders: z.array(z.string()).describe('Folders that would be synced'),
  available: z.array(z.string()).describe('All folders that can be synced, without junk and trash'),
})
export type MailTest = z.infer<typeof MailTest>

/** Proposed mail server settings for an address. */
export const MailServerProposal = z.object({
  host: z.string().describe('Host name; empty if it could not be determined from the address'),
  port: z.int(),
  security: MailSecurity,
  username: z.string(),
  found: z
    .enum(['dns', 'autoconfig', 'guess'])
    .describe('Source of the proposal: DNS records, an autoconfig file, or common host names'),
})
export type MailServerProposal = z.infer<typeof MailServerProposal>

export const MailPerson = z.object({ name: z.string(), address: z.string() })
export type MailPerson = z.infer<typeof MailPerson>

export const MailDirection = z.enum(['received', 'sent'])
export type MailDirection = z.infer<typeof MailDirection>

export const MailAttachment = z.object({ name: z.string(), media_type: z.string(), bytes: count })
export type MailAttachment = z.infer<typeof MailAttachment>

export const MailAttachmentText = MailAttachment.extend({
  message_id: id,
  number: z.int().min(1),
  text: z.string(),
  problem: z.string().nullable().describe('Reason the text is missing or incomplete'),
})
export type MailAttachmentText = z.infer<typeof MailAttachmentText>

export const MailThread = z.object({
  id,
  space_id: id,
  subject: z.string(),
  messages: count,
  last_message_at: time,
  last_direction: MailDirection.describe('Direction of the latest message; sent: written by the owner'),
  people: z.array(MailPerson).describe('Senders, most recent first; at most five'),
  snippet: z.string().describe('Start of the latest message; in a search, the matching passage'),
  unread: z.boolean(),
  has_attachments: z.boolean(),
})
export type MailThread = z.infer<typeof MailThread>

export const MailFold = z.object({
  kind: z
    .enum(['quote', 'forward', 'signature', 'links'])
    .describe(
      'quote: quoted history; forward: a forwarded message; links: addresses that the text refers to',
    ),
  from_line: z.int().min(1).describe('First line, from 1'),
  to_line: z.int().min(1).describe('Last line'),
  sender: z.string().nullable().describe('Sender of a forwarded message, as written there'),
})
export type MailFold = z.infer<typeof MailFold>

const MailMessage = z.object({
  id,
  thread_id: id,
  message_id: z.string().nullable().describe('Message-ID header'),
  subject: z.string(),
  sent_at: time,
  direction: MailDirection,
  from: MailPerson,
  to: z.array(MailPerson),
  cc: z.array(MailPerson),
  text: z.string().describe('Message text as Markdown, whole'),
  folds: z.array(MailFold).describe('Lines of the text that are not the sender’s own words, in order'),
  attachments: z.array(MailAttachment),
  automated: z.boolean().describe('`true` if sent by a program or a mailing list'),
  unread: z.boolean(),
  answered: z.boolean().describe('`true` if flagged as answered on the server'),
  imported: z.boolean(),
})

export const MailThreadWithMessages = MailThread.extend({
  items: z.array(MailMessage).describe('Oldest first'),
  more: z.boolean().describe('`true` if older messages are not included'),
})
export type MailThreadWithMessages = z.infer<typeof MailThreadWithMessages>
