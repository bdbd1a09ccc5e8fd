import type { Database } from '../../db/pool.ts'
import { createMailMessagesRepo } from '../../db/repos/mail_messages.ts'
import { createMailJoinsRepo } from '../../db/repos/mail_threads.ts'
import type { Search } from '../../search/search.ts'

const perTransaction = 50

/** Removes messages that are marked as deleted, with their passages, a few at a time; how many. */
export async function purgeDeleted(
  { database, search }: { database: Database; search: Pick<Search, 'remove'> },
  signal: AbortSignal,
): Promise<number> {
  let removed = 0
  while (!signal.aborted) {
    const found = await database.transaction(async (tx) => {
      const repo = createMailMessagesRepo(tx)
      const some = await repo.listDeleted(perTransaction)
      for (const { id } of some) await search.remove(tx, id)
      await repo.remove(some.map(({ id }) => id))
      await createMailJoinsRepo(tx).summarize([...new Set(some.map(({ thread_id }) => thread_id))])
      return some.length
    })
    removed += found
    if (found < perTransaction) break
  }
  return removed
}
