import type { Card } from '../../../lib/contract/changes/card.ts'
import type { PendingChange, PendingChangeWithCard } from '../../../lib/contract/changes/pending-change.ts'
import type { Links, Page } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { Api } from '../../app/api/api.ts'
import { withQuery } from '../../ui/words/addresses.ts'

/** A draft that waits, and the page that it would change as that is now. */
export type WaitingDraft = {
  card: Card
  page: Page
  links: Links['links']
  /** Its place among the drafts of the page, from 0, and how many there are. */
  at: number
  count: number
}

/** While a text is written no changes are shown in it. */
export const isWriting = (): boolean => document.querySelector('#view .page[data-writing]') !== null

/** Drafts of one page that are offered one after the other. */
const maxDrafts = 20

/** The draft with that number of those of a page, round the end; `null`: none waits. */
export async function findWaiting(
  api: Pick<Api, 'get'>,
  pageId: string,
  number: number,
): Promise<WaitingDraft | null> {
  const query = { status: 'pending', entity_id: pageId, limit: maxDrafts }
  const { items } = await api.get<List<PendingChange>>(withQuery('/api/pending-changes', query))
  const count = items.length
  if (count === 0) return null
  const at = number % count
  const [{ card }, page, { links }] = await Promise.all([
    api.get<PendingChangeWithCard>(`/api/pending-changes/${items[at]!.id}?whole=true`),
    api.get<Page>(`/api/pages/${pageId}`),
    api.get<Links>(`/api/pages/${pageId}/links`),
  ])
  return card.status === 'pending' ? { card, page, links, at, count } : null
}
