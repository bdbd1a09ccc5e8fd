// A reply as a draft that waits for the owner. The agent says which message it answers and writes the text; from and to
// whom it is, its subject and what it refers to is worked out from the stored message, never taken from a model.

import { createInflate } from 'node:zlib'
import { z } from 'zod'
import type { Proposal } from '../../../changes/propose/proposal.ts'
import type { ProposeChange } from '../../../changes/propose/propose.ts'
import { plainAddress, plainMessageId, replyRequest } from '../../../contract/entities/reply.ts'
import type { MailPerson } from '../../../contract/mail.ts'
import type { AgentActor } from '../../../core/actor.ts'
import { forbidden, invalid, notFound } from '../../../core/errors.ts'
import { ownWords } from '../../../core/text/folds.ts'
import type { Database } from '../../../db/pool.ts'
import { createMailAccountsRepo } from '../../../db/repos/mail_accounts.ts'
import { type AnsweredMessage, createMailMessagesRepo } from '../../../db/repos/mail_messages.ts'
import { headerBytes, isAnswer, readHeaders } from '../../../files/import/mail/read-headers.ts'
import { noSubject } from '../store/store-messages.ts'

const Given = z.strictObject(replyRequest.partial().shape)

const maxRecipients = 50
const maxQuoted = 20_000
const maxReferences = 20
const maxReferencesLength = 4000

/**
 * Drafts replies, and leaves other drafts to `proposeChange`. Throws `AppError` as that does, 400 for fields that an agent cannot set or a message that cannot
 * be answered, 404 for one that is not in the Space.
 */
export function createProposeWithReplies({
  database,
  proposeChange,
}: {
  database: Database
  proposeChange: ProposeChange
}): ProposeChange {
  return async (actor: AgentActor, proposal: Proposal) => {
    if (proposal.entity_type !== 'reply') return await proposeChange(actor, proposal)
    if (!proposal.turn) throw forbidden('Only the companion can draft replies.')
    if (proposal.action !== 'create')
      throw invalid('A reply can only be created. To replace a pending one, send its id as supersedes.')
    const parsed = Given.safeParse(proposal.payload ?? {})
    if (!parsed.success)
      throw invalid('A reply takes only message_id, body and all; everything else comes from the message.')
    const { message_id, body, all = false } = parsed.data
    if (message_id === undefined && !proposal.supersedes) {
      throw invalid('message_id: is missing. It is an id returned by read_email_thread.')
    }
    const headers =
      message_id === undefined
        ? {}
        : await headersOf(database, { space_id: proposal.space_id, id: message_id, all })
    const text = body === undefined ? {} : { body }
    return await proposeChange(actor, { ...proposal, payload: { ...headers, ...text } })
  }
}

async function headersOf(
  database: Database,
  { space_id, id, all }: { space_id: string; id: string; all: boolean },
): Promise<Record<string, string>> {
  const message = await createMailMessagesRepo(database).findAnswered(space_id, id)
  if (!message) throw notFound('message', id)
  const accounts = await createMailAccountsRepo(database).listOfSpace(space_id)
  const own = new Set(accounts.flatMap(({ address, aliases }) => [address, ...aliases]).map(lower))
  const { to, cc } = recipientsOf(message, own, all)
  if (to.length === 0) throw invalid('This message has no address to reply to.')
  const references = await referencesOf(message)
  return {
    from_address: fromAddress(message, accounts),
    to_addresses: to.join(', '),
    cc_addresses: cc.join(', '),
    subject: subjectOf(message),
    quoted: quote(message),
    in_reply_to: plainIds([message.message_id ?? '']).join(''),
    reference_ids: references.join(' '),
    answers_id: id,
  }
}

const lower = (text: string) => text.toLowerCase()

/** Who wrote it, or to whom the owner did; `all`: everybody in it. Each once, and never the owner. */
function recipientsOf(
  { direction, from, to, cc }: AnsweredMessage,
  own: ReadonlySet<string>,
  all: boolean,
): { to: string[]; cc: string[] } {
  const seen = new Set<string>()
  const usable = (people: readonly MailPerson[], isOwnLeftOut: boolean) =>
    people.flatMap(({ address }) => {
      const key = lower(address)
      if (!plainAddress.test(address) || seen.has(key) || (isOwnLeftOut && own.has(key))) return []
      seen.add(key)
      return [address]
    })
  const first = usable(direction === 'sent' ? to : [from], direction === 'received').slice(0, maxRecipients)
  if (!all) return { to: first, cc: [] }
  return { to: first, cc: usable([...to, ...cc], true).slice(0, maxRecipients) }
}

/** The owner's address that the message was written to, in the account that it came by. */
function fromAddress(
  { account_id, from, to, cc }: AnsweredMessage,
  accounts: readonly { id: string; address: string; aliases: string[] }[],
): string {
  const sorted = accounts.toSorted((a, b) => Number(b.id === account_id) - Number(a.id === account_id))
  for (const { address, aliases } of sorted) {
    const own = new Set([address, ...aliases].filter((one) => plainAddress.test(one)).map(lower))
    const addressed = [...to, ...cc, from].find((one) => own.has(lower(one.address)))
    if (addressed) return addressed.address
  }
  const [first] = sorted
  return first && plainAddress.test(first.address) ? first.address : ''
}

function subjectOf({ subject }: AnsweredMessage): string {
  const plain = subject === noSubject ? '' : subject
  return isAnswer(plain) ? plain : `Re: ${plain}`.trim().slice(0, 500).toWellFormed()
}

/** As RFC 5322 has it: what the message refers to, then the message. The first, and the latest. */
async function referencesOf({ message_id, original }: AnsweredMessage): Promise<string[]> {
  const named = original ? readHeaders(await readStart(original)).references : []
  const ids = [...new Set(plainIds([...named, message_id ?? '']))]
  const kept = ids.length > maxReferences ? [ids[0]!, ...ids.slice(1 - maxReferences)] : ids
  while (kept.length > 1 && kept.join(' ').length > maxReferencesLength) kept.splice(1, 1)
  return kept
}

const plainIds = (ids: readonly string[]): string[] => ids.filter((id) => plainMessageId.test(id))

/** The beginning of what was compressed, without unpacking the rest. */
async function readStart(compressed: Buffer): Promise<Buffer> {
  const inflate = createInflate()
  inflate.end(compressed)
  const parts: Buffer[] = []
  let length = 0
  for await (const part of inflate) {
    parts.push(part)
    length += part.length
    if (length >= headerBytes) break
  }
  return Buffer.concat(parts)
}

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** What is answered, below the reply. */
function quote({ from, sent_at, folds, ...message }: AnsweredMessage): string {
  const text = ownWords(message.text, folds) || message.text
  const who = from.name ? `${from.name} <${from.address}>` : from.address
  const kept = text.length > maxQuoted ? `${text.slice(0, maxQuoted).toWellFormed()}\n[…]` : text
  const lines = kept.split(/\r\n|\r|\n/).map((line) => (line === '' ? '>' : `> ${line}`))
  return [`On ${dates.format(new Date(sent_at))} (UTC), ${who} wrote:`, ...lines].join('\n')
}
