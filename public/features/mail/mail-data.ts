import type { List } from '../../../lib/contract/list.ts'
import type { MailAccount, MailThread } from '../../../lib/contract/mail.ts'
import type { LoadContext } from '../../app/view.ts'
import { withQuery } from '../../ui/words/addresses.ts'

export type MailData = {
  accounts: MailAccount[]
  threads: MailThread[]
  query: string
  from: string
  /** Whether this is not the first page. */
  isOlder: boolean
  next: string | null
}

export async function loadMail({ api, space, url }: LoadContext): Promise<MailData> {
  const at = `/api/spaces/${space!.id}`
  const [query, from, cursor] = ['q', 'from', 'cursor'].map((name) => url.searchParams.get(name) ?? '')
  const asked = { q: query || null, from: from || null, cursor: cursor || null }
  const [accounts, threads] = await Promise.all([
    api.get<List<MailAccount>>(`${at}/mail-accounts`),
    api.get<List<MailThread>>(withQuery(`${at}/mail-threads`, asked)),
  ])
  return {
    accounts: accounts.items,
    threads: threads.items,
    query: query!,
    from: from!,
    isOlder: cursor !== '',
    next: threads.next_cursor,
  }
}
