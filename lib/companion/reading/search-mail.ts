import type { FoundMail, MailFacts, MailSearch } from '../../ai/agent/services.ts'
import { kind } from '../../contract/entities/mail_message.ts'
import type { Database } from '../../db/pool.ts'
import { createMailMessagesRepo, type MailMessageRow } from '../../db/repos/mail_messages.ts'
import type { Search } from '../../search/search.ts'

const maxFound = 8
/** Messages that filters leave for the search: the latest. */
const maxFiltered = 20_000
/** Characters shown of a message that was not found by its words. */
const beginning = 600

/** Messages of a Space: by their words, the best first, or else the latest; at most eight passages. */
export async function searchMail(
  { database, search }: { database: Database; search: Pick<Search, 'query'> },
  { space_id, q = '', ...asked }: MailSearch,
): Promise<FoundMail[]> {
  const repo = createMailMessagesRepo(database)
  const {
    from = null,
    to = null,
    subject = null,
    after = null,
    before = null,
    has_attachment = false,
  } = asked
  const filter = { space_id, from, to, subject, after, before, has_attachment }
  const isFiltered = has_attachment || [from, to, subject, after, before].some((one) => one !== null)
  if (q.trim() === '') {
    const ids = await repo.listIds(filter, maxFound)
    const rows = new Map((await repo.listByIds(space_id, ids)).map((row) => [row.id, row]))
    return ids.flatMap((id) => {
      const row = rows.get(id)
      const text = row?.text.slice(0, beginning).toWellFormed() ?? ''
      return row ? [{ ...factsOf(row), ordinal: null, text }] : []
    })
  }
  const among = isFiltered ? await repo.listIds(filter, maxFiltered) : undefined
  const asking = { space_ids: [space_id], q, kinds: [kind.type], limit: maxFound, per_entity: 2 }
  const hits = await search.query({ ...asking, among })
  const ids = hits.map(({ entity_id }) => entity_id)
  const rows = new Map((await repo.listByIds(space_id, ids)).map((row) => [row.id, row]))
  return hits.flatMap(({ entity_id, ordinal, text }) => {
    const row = rows.get(entity_id)
    return row ? [{ ...factsOf(row), ordinal, text }] : []
  })
}

export const factsOf = (row: MailMessageRow): MailFacts => ({
  id: row.id,
  thread_id: row.thread_id,
  subject: row.subject,
  from: row.from,
  to: row.to.slice(0, maxNamed),
  sent_at: row.sent_at,
  direction: row.direction,
  attachments: row.attachments.slice(0, maxNamed).map(({ name }) => name),
})

const maxNamed = 20
