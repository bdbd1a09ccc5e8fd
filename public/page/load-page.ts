import type { AuditRow } from '../../lib/contract/audit.ts'
import type { EntityVersion, Links, Page, Properties } from '../../lib/contract/entities.ts'
import type { List } from '../../lib/contract/list.ts'
import type { PagePlace } from '../../lib/contract/space/pages.ts'
import { splitFrontMatter } from '../../lib/core/text/split-note.ts'
import { ApiError } from '../app/api/api.ts'
import type { LoadContext } from '../app/view.ts'
import { loadEmbeds } from './data/load-embeds.ts'
import type { PageData } from './data/page-data.ts'
import { auditPath } from './history/audit-path.ts'

/** `?edit` opens the editor, `?history` the versions. Throws a 404 for a page of another Space. */
export async function loadPage({ api, params, url, space }: LoadContext): Promise<PageData> {
  const at = `/api/pages/${encodeURIComponent(params.id ?? '')}`
  const page = await api.get<Page>(at)
  if (page.space_id !== space?.id) throw new ApiError(404, 'not_found', 'This page is in another Space.')
  if (page.deleted_at !== null) return { mode: 'deleted', page }

  const [links, place] = await Promise.all([api.get<Links>(`${at}/links`), api.get<PagePlace>(`${at}/place`)])
  if (url.searchParams.has('history')) {
    const [audit, history, { renderHistory, mountHistory }] = await Promise.all([
      api.get<List<AuditRow>>(auditPath(page.id, null)),
      api.get<List<EntityVersion>>(`${at}/history?limit=200`),
      import('./history/history.ts'),
    ])
    return { mode: 'history', page, place, audit, history, renderer: { renderHistory, mountHistory } }
  }
  const embedding = () => loadEmbeds(api, page.id, links.links)
  const base = { page, links, place, properties: none }
  if (url.searchParams.has('edit')) {
    const [embed, editing] = await Promise.all([embedding(), import('./edit/edit-page.ts')])
    return { ...base, mode: 'edit', embed, renderEdit: editing.renderEditPage }
  }
  if (splitFrontMatter(page.body).yaml.trim() === '')
    return { ...base, mode: 'read', embed: await embedding() }
  // Most pages have none.
  const [embed, properties, { renderProperties }] = await Promise.all([
    embedding(),
    api.get<Properties>(`${at}/properties`),
    import('./read/properties.ts'),
  ])
  return { ...base, mode: 'read', properties, renderProperties, embed }
}

const none: Properties = { items: [], too_complex: false }
