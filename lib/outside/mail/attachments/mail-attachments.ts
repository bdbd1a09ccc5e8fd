// Attachments of messages, taken when they are asked for: from the message as it is stored, or from its server.

import type { MailAttachment, MailAttachmentText } from '../../../contract/mail.ts'
import { conflict, notFound } from '../../../core/errors.ts'
import type { Database } from '../../../db/pool.ts'
import { createMailAccountsRepo } from '../../../db/repos/mail_accounts.ts'
import { createMailAttachmentsRepo, type StoredMessage } from '../../../db/repos/mail_folders.ts'
import { type TextThreads, textTask } from '../../../jobs/workers/text-threads.ts'
import type { AccountAccess } from '../sync/account-access.ts'
import { type ConnectMailServer, type MailServer, stopped } from '../sync/mail-server.ts'
import { attachmentText, decodePart, takeAttachment } from './read-attachment.ts'

/** Of a message, counted from 1; `space_id` null: in any Space. */
type Wanted = { space_id: string | null; message_id: string; number: number }

export type MailAttachments = {
  /** Throws `AppError`: 404, or 409 `mail_unavailable` when its server does not give it or it cannot be read. */
  open(wanted: Wanted): Promise<MailAttachment & { content: Uint8Array }>
  /** Its text, which is kept once it was read. Throws as `open`. */
  text(wanted: Wanted): Promise<MailAttachmentText>
}

type MailAttachmentsDeps = FetchDeps & { threads: Pick<TextThreads, 'run'> }

const takeTask = textTask(new URL('./read-attachment.ts', import.meta.url), takeAttachment)

const decodeTask = textTask(new URL('./read-attachment.ts', import.meta.url), decodePart)

const textOfTask = textTask(new URL('./read-attachment.ts', import.meta.url), attachmentText)

const inThread = Number.POSITIVE_INFINITY

export function createMailAttachments(deps: MailAttachmentsDeps): MailAttachments {
  const { database, threads } = deps
  const repo = createMailAttachmentsRepo(database)
  let last: Promise<unknown> = Promise.resolve()

  return {
    async open(wanted) {
      const { message, attachment } = await find(wanted)
      return { ...attachment, content: await oneByOne(() => bytesOf(message, wanted.number - 1)) }
    },

    async text(wanted) {
      const { message, attachment } = await find(wanted)
      const { id } = message
      const { number } = wanted
      const stored = await repo.findText(id, number)
      const read = stored ?? (await oneByOne(() => readText(message, attachment, number)))
      return { message_id: id, number, ...attachment, ...read }
    },
  }

  async function find({ space_id, message_id, number }: Wanted) {
    const message = await repo.find(message_id, space_id)
    if (!message) throw notFound('message', message_id)
    const attachment = message.attachments[number - 1]
    if (!attachment) throw notFound('attachment', `${message_id}/${number}`)
    return { message, attachment }
  }

  /** Each may take a hundred megabytes. */
  async function oneByOne<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = last.then(work, work)
    last = mine.catch(() => {})
    return await mine
  }

  async function readText(message: StoredMessage, { name, media_type }: MailAttachment, number: number) {
    const bytes = await bytesOf(message, number - 1)
    const read = await threads.run(textOfTask, { name, media_type, bytes }, inThread)
    const text = read ?? {
      text: '',
      problem: 'Its text could not be read within the limits of time and memory.',
    }
    await database.checkRoom()
    await repo.saveText(message.id, number, text)
    return text
  }

  async function bytesOf({ id, whole }: StoredMessage, index: number): Promise<Uint8Array> {
    const taken = whole
      ? await threads.run(takeTask, { compressed: await repo.loadOriginal(id), index }, inThread)
      : await threads.run(decodeTask, await fetchAttachment(deps, id, index), inThread)
    if (taken?.bytes) return taken.bytes
    throw conflict('mail_unavailable', 'The attachment could not be extracted from its message.')
  }
}

// An attachment that only the server has, because its message was too large to be taken whole: asked for in pieces.

type FetchDeps = {
  database: Database
  connect: ConnectMailServer
  access: AccountAccess
}

/** Bytes of a part as it is sent, which has up to 37 % more than what it encodes. */
const maxPartBytes = 70_000_000

const pieceBytes = 1_500_000

const fetchMs = 120_000

/** The part as it is sent. Throws a 409 `AppError` that says in a sentence why it cannot be had. */
async function fetchAttachment(
  deps: FetchDeps,
  messageId: string,
  index: number,
): Promise<{ encoding: string; body: Buffer }> {
  try {
    return await fetchPart(deps, messageId, index)
  } catch (error) {
    throw conflict(
      'mail_unavailable',
      `The attachment is on the server. ${deps.access.problemOf(error).message}`,
    )
  }
}

async function fetchPart({ database, connect, access }: FetchDeps, messageId: string, index: number) {
  const at = await createMailAttachmentsRepo(database).findLocation(messageId)
  const account = at && (await createMailAccountsRepo(database).find(at.account_id))
  if (!account) throw stopped('No account has this message any more.')
  const server = await access.connect(connect, account, AbortSignal.timeout(fetchMs))
  try {
    const { uid_validity } = await server.open(at.path)
    const [listed] = uid_validity === at.uid_validity ? await server.describe([at.uid]) : []
    const part = listed?.parts.filter(({ filename }) => filename !== null)[index]
    if (!part) throw stopped('The message is not there any more.')
    if (part.bytes > maxPartBytes) throw stopped('It is too large to be fetched.')
    return { encoding: part.encoding, body: await readPieces(server, at.uid, part.part) }
  } finally {
    await server.close()
  }
}

async function readPieces(server: MailServer, uid: number, part: string): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for (let start = 0; start <= maxPartBytes; start += pieceBytes) {
    const piece = await server.readPart(uid, part, { start, maxBytes: pieceBytes })
    if (!piece) throw stopped('The message is not there any more.')
    pieces.push(piece)
    if (piece.length < pieceBytes) return Buffer.concat(pieces)
  }
  throw stopped('It is too large to be fetched.')
}
