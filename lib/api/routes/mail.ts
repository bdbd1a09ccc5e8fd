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
import { address, MailAccountChange, NewMailAccount } from '../../outside/mail/account-settings.ts'
import { encodedName } from '../download.ts'
import { idParams, route } from '../route.ts'

const words = z.string().max(500)

const attachmentParams = idParams('id').extend({
  number: z.coerce.number().int().min(1).max(1000).describe('Counted from 1'),
})

/** Accounts of mail, and the threads that came from them. */
export const mailRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/mail-accounts',
    access: 'owner',
    summary: 'List the mail accounts of a Space, with the state of each',
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
    summary: 'Add a mail account, which is read over IMAP from then on',
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
    summary: 'Where the mailbox of an address probably is',
    query: z.object({ address: address.describe('Its domain is asked, and nobody else') }),
    answers: { 200: MailServerProposal },
    async handle({ mail }, { query: { address } }) {
      return { body: await mail.discover(address) }
    },
  }),

  route({
    method: 'patch',
    path: '/api/mail-accounts/:id',
    access: 'owner',
    summary: 'Change, pause or resume a mail account',
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
    summary: 'Remove a mail account and its password, with or without its mail',
    params: idParams('id'),
    query: z.object({
      mail: z.enum(['keep', 'delete']).default('keep').describe('What becomes of the mail that only it has'),
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
    summary: 'Sign in to a mail account and look for its folders',
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
    summary: 'Sync a mail account now; one that stopped is tried again',
    params: idParams('id'),
    answers: { 202: MailAccount },
    async handle({ mail }, { params: { id } }) {
      return { status: 202, body: await mail.accounts.sync(id) }
    },
  }),

  route({
    method: 'get',
    path: '/api/spaces/:space_id/mail-threads',
    access: 'owner',
    summary: 'List the mail threads of a Space by their latest message, or search them',
    params: idParams('space_id'),
    query: z.object({
      q: words.optional().describe('Words of a message; the best first'),
      from: words.optional().describe('Part of the name or address of somebody who wrote in it'),
      subject: words.optional().describe('Part of the subject'),
      cursor: z.string().max(100).optional().describe('The next_cursor of the page before'),
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
    summary: 'Read a mail thread by its id, or by that of one of its messages',
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
    summary: 'Download a message as it came',
    params: idParams('id'),
    mediaType: 'message/rfc822',
    answers: { 200: 'The message; a large one without its attachments' },
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
    summary: 'Download an attachment of a message, from the message or from its server',
    limit: { requests: 60, windowMs: 60_000 },
    params: attachmentParams,
    mediaType: 'application/octet-stream',
    answers: { 200: 'The attachment, never to be shown by the browser itself' },
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
    summary: 'Read the text of an attachment: a PDF, a Word document, a web page or a text file',
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
    summary: 'Download an approved reply as a file that a mail program opens',
    params: idParams('id'),
    mediaType: 'message/rfc822',
    answers: { 200: 'The reply as a message that is not sent yet' },
    async handle({ mail }, { params: { id }, res }) {
      sendFile(res, await mail.replies.file(id), { name: 'reply.eml', mediaType: 'message/rfc822' })
      return undefined
    },
  }),

  route({
    method: 'post',
    path: '/api/replies/:id/deliver',
    access: 'owner',
    summary: 'Put an approved reply into the Drafts folder that it is not in yet',
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
