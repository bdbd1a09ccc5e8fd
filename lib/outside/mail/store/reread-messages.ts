// Messages that an earlier release read, which cut history and signatures, are read again from their originals, in the
// background: some at a time, in a thread with limits.

import { inflateSync } from 'node:zlib'
import { kind } from '../../../contract/entities/mail_message.ts'
import type { Database } from '../../../db/pool.ts'
import { lockForIndex } from '../../../db/repos/derived.ts'
import { createMailRereadsRepo } from '../../../db/repos/mailboxes.ts'
import type { Job } from '../../../jobs/start-job.ts'
import type { TextThreads } from '../../../jobs/workers/text-threads.ts'
import type { Search } from '../../../search/search.ts'
import { parseInThread } from '../message/parse-in-thread.ts'
import { type ParsedMessage, readingRevision } from '../message/parse-messages.ts'
import { indexMessage, snippetOf } from './store-messages.ts'

export type RereadDeps = {
  database: Database
  search: Pick<Search, 'index' | 'defer'>
  threads: Pick<TextThreads, 'run'>
}

const perRound = 25

/** Bytes of an original that is unpacked. */
const maxBytes = 32_000_000

/** One that cannot be read stays as it is, and is tried again after a restart. */
export function createRereadJob(deps: RereadDeps): Job {
  const repo = createMailRereadsRepo(deps.database)
  let after: string | null = null
  let isDone = false
  return {
    name: 'reread-mail',
    everyMs: 60_000,
    isDue: async () => !isDone,
    async run(signal) {
      while (!signal.aborted && !isDone) {
        const some = await repo.listOutdated(readingRevision, { after, limit: perRound })
        if (some.length > 0) await rereadSome(deps, some)
        after = some.at(-1)?.id ?? after
        isDone = some.length < perRound
      }
    },
  }
}

async function rereadSome(
  { database, search, threads }: RereadDeps,
  some: readonly { id: string; bytes: Buffer }[],
): Promise<void> {
  const parsed = await parseInThread(
    threads,
    some.map(({ bytes }) => unpack(bytes)),
  )
  for (const [at, { id }] of some.entries()) {
    const message = parsed[at]
    if (message) await database.transaction((tx) => replace(tx, search, { id, message }))
  }
}

function unpack(bytes: Buffer): Uint8Array {
  try {
    return inflateSync(bytes, { maxOutputLength: maxBytes })
  } catch {
    return new Uint8Array()
  }
}

async function replace(
  tx: Parameters<Search['index']>[0],
  search: Pick<Search, 'index' | 'defer'>,
  { id, message }: { id: string; message: ParsedMessage },
): Promise<void> {
  const { text, folds, automated, fingerprint } = message
  const snippet = snippetOf(message)
  await createMailRereadsRepo(tx).reread(id, {
    text,
    folds,
    snippet,
    automated,
    fingerprint,
    reading: readingRevision,
  })
  const row = await lockForIndex(tx, kind, id)
  if (row) await indexMessage(tx, search, row)
}
