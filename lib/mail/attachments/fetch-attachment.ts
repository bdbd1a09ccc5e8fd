// An attachment that only the server has, because its message was too large to be taken whole: asked for in pieces.

import type { Database } from '../../db/pool.ts'
import { createMailAccountsRepo } from '../../db/repos/mail_accounts.ts'
import { createMailAttachmentsRepo } from '../../db/repos/mail_folders.ts'
import { conflict } from '../../errors.ts'
import type { AccountAccess } from '../sync/account-access.ts'
import { mailProblem, stopped } from '../sync/mail-problem.ts'
import type { ConnectMailServer, MailServer } from '../sync/mail-server.ts'

export type FetchDeps = {
  database: Database
  connect: ConnectMailServer
  access: AccountAccess
}

/** Bytes of a part as it is sent, which has up to 37 % more than what it encodes. */
const maxPartBytes = 70_000_000
const pieceBytes = 1_500_000
const fetchMs = 120_000

/** The part as it is sent. Throws a 409 `AppError` that says in a sentence why it cannot be had. */
export async function fetchAttachment(
  deps: FetchDeps,
  messageId: string,
  index: number,
): Promise<{ encoding: string; body: Buffer }> {
  try {
    return await fetchPart(deps, messageId, index)
  } catch (error) {
    throw conflict('mail_unavailable', `The attachment is on the server. ${mailProblem(error).message}`)
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
