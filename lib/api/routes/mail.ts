import type { Response } from 'express'
import { z } from 'zod'
import { ReplyDelivery } from '../../contract/changes/card.ts'
import { listOf } from '../../contract/list.ts'
import {
  MailAccount,
  MailAttachmentText,
  MailServerProposal,
  MailTest,
  MailThread,
  MailThreadWithMessages,
} from '../../contract/mail.ts'
import {
  address,
  MailAccountChange,
  MissingFolderDecision,
  NewMailAccount,
} from '../../outside/mail/account-settings.ts'
import { encodedName } from '../download.ts'
import { idParams, route } from '../route.ts'

const words = z.string().max(500)

const attachmentParams = idParams('id').extend({
  number: z.coerce.number().int().min(1).max(1000).describe('1-based'),
})

/** Accounts of mail, and the threads that came from them. */
export const mailRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/mail-accounts',
    access: 'owner',
    summary: 'List the mail accounts of a Space with their sync state',
    params: idParams('space_id'),
    answers: { 200: listOf(MailAccount) },
    async handle({ mail }, { params: { space_id } }) {
      return { body: { items: await mail.accounts.list(space_id), next_cursor: null } }
    },
  }),

  route({
    method: 'post',
    path: '/api/spaces/:space_id/mail-accounts',
    access: 'owner',
    summary: 'Add a mail account and start syncing it over IMAP',
    params: idParams('space_id'),
    body: NewMailAccount,
    answers: { 201: MailAccount },
    async handle({ mail }, { params: { space_id }, body, req }) {
      const account = await mail.accounts.create(space_id, body)
      req.log.info({ address: req.ip, account: account.id }, 'mail account added')
      return { status: 201, body: account }
    },
  }),

  route({
    method: 'get',
    path: '/api/mail-server',
    access: 'owner',
    summary: 'Detect the mail server of an address',
    query: z.object({ address: address.describe('Only the domain of this address is queried') }),
    answers: { 200: MailServerProposal },
    async handle({ mail }, { query: { address } }) {
      return { body: await mail.discover(address) }
    },
  }),

  route({
    method: 'patch',
    path: '/api/mail-accounts/:id',
    access: 'owner',
    summary: 'Update, pause or resume a mail account',
    params: idParams('id'),
    body: MailAccountChange,
    answers: { 200: MailAccount },
    async handle({ mail }, { params: { id }, body, req }) {
      const account = await mail.accounts.update(id, body)
      req.log.info({ address: req.ip, account: id }, 'mail account changed')
      return { body: account }
    },
  }),

  route({
    method: 'delete',
    path: '/api/mail-accounts/:id',
    access: 'owner',
    summary: 'Remove a mail account and its password; optionally delete its mail',
    params: idParams('id'),
    query: z.object({
      mail: z.enum(['keep', 'delete']).default('keep').describe('Applies to mail that no other account has'),
    }),
    answers: { 200: MailAccount },
    async handle({ mail }, { params: { id }, query, req }) {
      const account = await mail.accounts.remove(id, query.mail)
      req.log.info({ address: req.ip, account: id, mail: query.mail }, 'mail account removed')
      return { body: account }
    },
  }),

  route({
    method: 'post',
    path: '/api/mail-accounts/:id/test',
    access: 'owner',
    summary: 'Test a mail account: sign in and list its folders',
    limit: { requests: 20, windowMs: 60_000 },
    params: idParams('id'),
    answers: { 200: MailTest },
    async handle({ mail }, { params: { id } }) {
      return { body: await mail.accounts.test(id) }
    },
  }),

  route({
    method: 'post',
    path: '/api/mail-accounts/:id/sync',
    access: 'owner',
    summary: 'Sync a mail account now; restarts a stopped one',
    params: idParams('id'),
    answers: { 202: MailAccount },
    async handle({ mail }, { params: { id } }) {
      return { status: 202, body: await mail.accounts.sync(id) }
    },
  }),

  route({
    method: 'post',
    path: '/api/mail-accounts/:id/missing-folders',
    access: 'owner',
    summary:
      'Decide on a folder that is no longer on the server: sync another one instead, keep or delete its mail',
    params: idParams('id'),
    body: MissingFolderDecision,
    answers: { 200: MailAccount },
    async handle({ mail }, { params: { id }, body, req }) {
      const account = await mail.accounts.decideFolder(id, body)
      req.log.info({ address: req.ip, account: id, action: body.action }, 'missing mail folder decided')
      return { body: account }
    },
  }),

  route({
    method: 'get',
    path: '/api/spaces/:space_id/mail-threads',
    access: 'owner',
    summary: 'List the mail threads of a Space by latest message, or search them',
    params: idParams('space_id'),
    query: z.object({
      q: words.optional().describe('Search words; the best matches come first'),
      from: words.optional().describe('Part of the name or address of a sender'),
      subject: words.optional().describe('Part of the subject'),
      cursor: z.string().max(100).optional().describe('next_cursor of the previous page'),
      limit: z.coerce.number().int().min(1).max(100).default(50),
    }),
    answers: { 200: listOf(MailThread) },
    async handle({ mail }, { params: { space_id }, query }) {
      return { body: await mail.threads.list({ space_id, ...query }) }
    },
  }),

  route({
    method: 'get',
    path: '/api/mail-threads/:id',
    access: 'owner',
    summary: 'Get a mail thread by its id or the id of one of its messages',
    params: idParams('id'),
    answers: { 200: MailThreadWithMessages },
    async handle({ mail }, { params: { id } }) {
      return { body: await mail.threads.find(id) }
    },
  }),

  route({
    method: 'get',
    path: '/api/mail-messages/:id/original',
    access: 'owner',
    summary: 'Download the original of a message',
    params: idParams('id'),
    mediaType: 'message/rfc822',
    answers: { 200: 'The message; without attachments if it is large' },
    async handle({ mail }, { params: { id }, res }) {
      const { bytes } = await mail.threads.original(id)
      sendFile(res, bytes, { name: 'message.eml', mediaType: 'message/rfc822' })
      return undefined
    },
  }),

  route({
    method: 'get',
    path: '/api/mail-messages/:id/attachments/:number',
    access: 'owner',
    summary: 'Download an attachment from the stored message or the mail server',
    limit: { requests: 60, windowMs: 60_000 },
    params: attachmentParams,
    mediaType: 'application/octet-stream',
    answers: { 200: 'The attachment, as a download only' },
    async handle({ mail }, { params: { id, number }, res }) {
      const { name, content } = await mail.attachments.open({ space_id: null, message_id: id, number })
      sendFile(res, content, { name, mediaType: 'application/octet-stream' })
      return undefined
    },
  }),

  route({
    method: 'get',
    path: '/api/mail-messages/:id/attachments/:number/text',
    access: 'owner',
    summary: 'Get the text of an attachment: PDF, Word document, web page or text file',
    limit: { requests: 60, windowMs: 60_000 },
    params: attachmentParams,
    answers: { 200: MailAttachmentText },
    async handle({ mail }, { params: { id, number } }) {
      return { body: await mail.attachments.text({ space_id: null, message_id: id, number }) }
    },
  }),

  route({
    method: 'get',
    path: '/api/replies/:id/file',
    access: 'owner',
    summary: 'Download an approved reply as a file for a mail program',
    params: idParams('id'),
    mediaType: 'message/rfc822',
    answers: { 200: 'The reply as an unsent message' },
    async handle({ mail }, { params: { id }, res }) {
      sendFile(res, await mail.replies.file(id), { name: 'reply.eml', mediaType: 'message/rfc822' })
      return undefined
    },
  }),

  route({
    method: 'post',
    path: '/api/replies/:id/deliver',
    access: 'owner',
    summary: 'Save an approved reply to the Drafts folder',
    params: idParams('id'),
    answers: { 202: ReplyDelivery },
    async handle({ mail }, { params: { id } }) {
      return { status: 202, body: await mail.replies.deliver(id) }
    },
  }),
]

/** To be kept as a file, never shown by the browser. */
function sendFile(
  res: Response,
  bytes: Uint8Array,
  { name, mediaType }: { name: string; mediaType: string },
): void {
  res.setHeader('content-type', mediaType)
  res.setHeader('content-disposition', `attachment; filename*=UTF-8''${encodedName(name)}`)
  res.setHeader('x-content-type-options', 'nosniff')
  res.setHeader('content-security-policy', "default-src 'none'; sandbox")
  res.setHeader('cache-control', 'private, max-age=3600')
  res.end(bytes)
}
