// Which messages a Space has already. Wherever one lies, its fingerprint is the same. Files of one message may differ
// beyond that, for what a program quoted in a mailbox or a list put below; so an import also knows one by its Message-ID,
// where the sender and the time agree: an id alone could be anybody's, and would keep a message out. So is what an earlier
// release read, whose fingerprint is of another text, until it is read again.

import type { Queryable } from '../../../db/pool.ts'
import { createMailImportsRepo } from '../../../db/repos/mail_folders.ts'
import { createMailMessagesRepo, type KnownMessage } from '../../../db/repos/mail_messages.ts'
import { type ParsedMessage, readingRevision } from '../message/parse-messages.ts'

type Named = Pick<ParsedMessage, 'fingerprint' | 'message_id' | 'from' | 'sent_at'>

export type KnownMessages = {
  find(message: Named): KnownMessage | undefined
  /** It is there from now on. */
  add(message: Named, stored: KnownMessage): void
}

export async function findKnown(
  db: Queryable,
  {
    space_id,
    messages,
    by_message_id,
  }: { space_id: string; messages: readonly Named[]; by_message_id: boolean },
): Promise<KnownMessages> {
  const repo = createMailMessagesRepo(db)
  const fingerprints = messages.map(({ fingerprint }) => fingerprint)
  const byFingerprint = await repo.findByFingerprints(space_id, fingerprints)
  const byName = new Map<string, KnownMessage>()
  const ids = messages.flatMap(({ message_id }) => message_id ?? [])
  const reading = by_message_id ? null : readingRevision
  for (const row of ids.length > 0
    ? await createMailImportsRepo(db).listByMessageIds(space_id, ids, reading)
    : []) {
    byName.set(nameOf(row.message_id, row.from_address, new Date(row.sent_at).getTime()), row)
  }

  return {
    find: (message) => byFingerprint.get(message.fingerprint) ?? byName.get(nameOfMessage(message) ?? ''),
    add(message, stored) {
      byFingerprint.set(message.fingerprint, stored)
      const name = by_message_id ? nameOfMessage(message) : null
      if (name) byName.set(name, stored)
    },
  }
}

const nameOfMessage = ({ message_id, from, sent_at }: Named): string | null =>
  message_id === null || sent_at === null ? null : nameOf(message_id, from.address.toLowerCase(), sent_at)

const nameOf = (messageId: string, from: string, sentAt: number): string =>
  JSON.stringify([messageId, from, sentAt])
