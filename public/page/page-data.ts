import type { EmbeddedPage, Links, List, Page, PagePlace } from '../../lib/contract/entities.ts'
import type { EntityVersion } from '../../lib/contract/history.ts'
import { ApiError, type Reader, withQuery } from '../api.ts'
import type { MarkdownContext } from '../markdown.ts'
import type { LoadContext } from '../view.ts'
import type { AuditRow } from './versions.ts'

/** What a page's view shows, by what is done with the page. */
export type PageData =
  | { mode: 'read' | 'edit'; page: Page; links: Links; place: PagePlace; embed: Embedder | undefined }
  | {
      mode: 'history'
      page: Page
      place: PagePlace
      audit: List<AuditRow>
      /** The same versions with why they are there, and what was taken back. */
      history: List<EntityVersion>
      /** What shows it: fetched with the rows, because most pages are only read. */
      shown: typeof import('./history.ts')
    }
  | { mode: 'deleted'; page: Page }

export type LivePage = Extract<PageData, { mode: 'read' | 'edit' }>
export type PageHistory = Extract<PageData, { mode: 'history' }>

const versionsAtOnce = 40

/** Shows pages within the page; undefined where the text asks for none. */
export type Embedder = NonNullable<MarkdownContext['embed']>

/** What shows the pages within a page, fetched only for a text that has any. */
export async function loadEmbeds(
  api: Reader,
  id: string,
  links: Links['links'],
): Promise<Embedder | undefined> {
  if (!links.some(({ embed, to_type }) => embed && to_type === 'page')) return undefined
  const [{ items }, { createEmbedder }] = await Promise.all([
    api.get<{ items: EmbeddedPage[] }>(`/api/pages/${encodeURIComponent(id)}/embeds`),
    import('./embeds.ts'),
  ])
  return createEmbedder(id, items)
}

/** `?edit` opens the editor, `?history` the versions. A page of another Space is not here: 404. */
export async function loadPage({ api, params, url, space }: LoadContext): Promise<PageData> {
  const at = `/api/pages/${encodeURIComponent(params.id ?? '')}`
  const page = await api.get<Page>(at)
  if (page.space_id !== space?.id) throw new ApiError(404, 'not_found', 'This page is in another Space.')
  if (page.deleted_at !== null) return { mode: 'deleted', page }

  const [links, place] = await Promise.all([api.get<Links>(`${at}/links`), api.get<PagePlace>(`${at}/place`)])
  if (url.searchParams.has('history')) {
    const [audit, history, shown] = await Promise.all([
      api.get<List<AuditRow>>(auditPath(page.id, null)),
      api.get<List<EntityVersion>>(`${at}/history?limit=200`),
      import('./history.ts'),
    ])
    return { mode: 'history', page, place, audit, history, shown }
  }
  const embed = await loadEmbeds(api, page.id, links.links)
  return { mode: url.searchParams.has('edit') ? 'edit' : 'read', page, links, place, embed }
}

export const auditPath = (id: string, cursor: string | null): string =>
  withQuery('/api/audit', { entity_id: id, limit: versionsAtOnce, cursor })
