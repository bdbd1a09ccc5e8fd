import type { Page } from '../../../lib/contract/entities.ts'
import { type Child, el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { actorName } from '../../ui/words/names.ts'

/** Who edited it and when, and who created it. */
export function renderMeta(page: Page, now: Date): HTMLElement {
  const created: Child =
    page.version > 1 || page.created_by !== page.updated_by
      ? [' · created ', timeAgo(page.created_at, now), ` by ${actorName(page.created_by)}`]
      : null
  return el(
    'p',
    { class: 'page-meta' },
    page.version > 1 ? 'Edited ' : 'Created ',
    timeAgo(page.updated_at, now),
    ` by ${actorName(page.updated_by)}`,
    created,
  )
}
