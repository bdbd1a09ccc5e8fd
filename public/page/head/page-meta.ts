import type { Page } from '../../../lib/contract/entities/entities.ts'
import { type Child, el } from '../../dom.ts'
import { actorName } from '../../entities/actor-name.ts'
import { timeAgo } from '../../time.ts'

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
