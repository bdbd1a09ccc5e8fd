// Mail of a Space: the accounts that it comes from, its threads and their messages.

import { z } from 'zod'
import { count, id, time } from './scalars.ts'

export const MailSecurity = z
  .enum(['tls', 'starttls', 'none'])
  .describe('none: only to an address of this machine')
export type MailSecurity = z.infer<typeof MailSecurity>

export const MailAccountState = z
  .enum(['waiting', 'connecting', 'syncing', 'watching', 'retrying', 'stopped', 'paused'])
  .describe(
    'watching: up to date, and waiting for new mail; retrying: the server did not answer; stopped: until its settings change or a sync is asked for; paused: by the owner',
  )
export type MailAccountState = z.infer<typeof MailAccountState>

export const MailAccount = z.object({
  id,
  space_id: id,
  address: z.string(),
  aliases: z.array(z.string()).describe('Other addresses of the owner: mail from them is sent mail'),
  host: z.string(),
  port: z.int(),
  security: MailSecurity,
  username: z.string(),
  folders: z.array(z.string()).nullable().describe('null: the inbox, sent mail and the archive'),
  drafts_allowed: z.boolean().describe('Whether approved replies are put into its Drafts folder'),
  oauth: z
    .object({
      token_url: z.string(),
      client_id: z.string(),
      scope: z.string(),
      has_client_secret: z.boolean(),
    })
    .nullable()
    .describe('Where access tokens come from; null: it signs in with a password'),
  state: MailAccountState,
  error: z.string().nullable().describe('Why it is retrying or stopped'),
  last_sync_at: time.nullable(),
  messages: count,
  unreadable: count.describe('Messages on the server that could not be read'),
  created_at: time,
  updated_at: time,
})
export type MailAccount = z.infer<typeof MailAccount>

export const MailTest = z.object({
  ok: z.boolean(),
  error: z.string().nullable(),
  folders: z.array(z.string()).describe('Those that would be read'),
  available: z.array(z.string()).describe('All that can be: without junk and trash'),
})
export type MailTest = z.infer<typeof MailTest>

/** Where the mailbox of an address may be. */
export const MailServerProposal = z.object({
  host: z.string().describe('Empty: the address says nothing'),
  port: z.int(),
  security: MailSecurity,
  username: z.string(),
  found: z
    .enum(['dns', 'autoconfig', 'guess'])
    .describe('By what: the domain’s records, its file for mail programs, or the usual names'),
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
  problem: z.string().nullable().describe('Why there is no text, or not all of it'),
})
export type MailAttachmentText = z.infer<typeof MailAttachmentText>

export const MailThread = z.object({
  id,
  space_id: id,
  subject: z.string(),
  messages: count,
  last_message_at: time,
  last_direction: MailDirection.describe('sent: the owner wrote last'),
  people: z.array(MailPerson).describe('Who wrote, the latest first; at most five'),
  snippet: z.string().describe('How the latest message begins; in a search, the passage found'),
  unread: z.boolean(),
  has_attachments: z.boolean(),
})
export type MailThread = z.infer<typeof MailThread>

const MailMessage = z.object({
  id,
  thread_id: id,
  message_id: z.string().nullable().describe('The header'),
  subject: z.string(),
  sent_at: time,
  direction: MailDirection,
  from: MailPerson,
  to: z.array(MailPerson),
  cc: z.array(MailPerson),
  text: z.string().describe('Markdown, without the history that it quotes and without a signature'),
  attachments: z.array(MailAttachment),
  automated: z.boolean().describe('Whether a program or a mailing list sent it'),
  unread: z.boolean(),
  answered: z.boolean().describe('Whether the server has it as answered'),
  imported: z.boolean(),
})

export const MailThreadWithMessages = MailThread.extend({
  items: z.array(MailMessage).describe('Oldest first'),
  more: z.boolean().describe('Whether there are older ones that are left out'),
})
export type MailThreadWithMessages = z.infer<typeof MailThreadWithMessages>
