import type { AuditRow } from '../../../lib/contract/audit.ts'
import type { EntityVersion, Links, Page, Properties } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { PagePlace } from '../../../lib/contract/space/pages.ts'
import { ApiError } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import type { ViewContext } from '../../app/view.ts'
import type { Child } from '../../ui/dom.ts'
import type { MarkdownContext } from '../../ui/markdown/markdown.ts'
import { withQuery } from '../../ui/words/addresses.ts'

/** The data of a page's view, by its mode. */
export type PageData = LivePage | PageHistory | { mode: 'deleted'; page: Page }

export type LivePage = {
  mode: 'read'
  page: Page
  links: Links
  place: PagePlace
  properties: Properties
  embed: Embedder | undefined
  /** Loaded with the page where it has properties. */
  renderProperties?: (
    properties: Properties,
    context: { slug: string; links: Links['links']; now: Date },
  ) => Child
  /** Loaded with the page where it is a drawing. */
  drawing?: typeof import('../../ui/drawing.ts')
  /** While it is written, or its title edited, changes from elsewhere wait. */
  isBusy?: boolean
  /** Shows the Markdown as it is, or as the page draws it, and begins to write. Set while the page is mounted. */
  toggleSource?: () => void
}

export type PageHistory = {
  mode: 'history'
  page: Page
  place: PagePlace
  audit: List<AuditRow>
  /** The same versions with their reasons, and what was undone. */
  history: List<EntityVersion>
  /** Loaded with the rows, because most pages are only read. */
  renderer: HistoryRenderer
}

type HistoryRenderer = {
  renderHistory(data: PageHistory, context: ViewContext): Child
  mountHistory(root: HTMLElement, data: PageHistory, context: ViewContext): void
}

/** Renders pages that are embedded in the page; undefined where its text embeds none. */
export type Embedder = NonNullable<MarkdownContext['embed']>

/** What an editor writes of a page. `body`: Markdown with its front matter. */
export type PageText = { title: string; body: string }

/** `keep_alias`: the old title stays as an alias. */
export type PageFields = Partial<Pick<Page, 'title' | 'body' | 'parent_id' | 'position' | 'path'>> & {
  keep_alias?: true
}

export const pagePath = (id: string): string => `/api/pages/${id}`

/**
 * Changes a page. Where it has changed since `base`, but not in these fields or to these values, as by a change whose answer
 * was lost, the change is sent again for the current version; otherwise the 409 is thrown, as any other failure is.
 */
export async function changePage(app: App, base: Page, fields: PageFields): Promise<Page> {
  try {
    return await app.api.patch<Page>(pagePath(base.id), { ...fields, version: base.version })
  } catch (error) {
    const current = error instanceof ApiError && error.status === 409 ? error.details.current : null
    if (!isPage(current) || touches(current, base, fields)) throw error
    return await app.api.patch<Page>(pagePath(base.id), { ...fields, version: current.version })
  }
}

const isPage = (value: unknown): value is Page =>
  typeof value === 'object' && value !== null && 'version' in value && 'parent_id' in value

const touches = (current: Page, base: Page, fields: PageFields) =>
  Object.entries(fields).some(([name, value]) => {
    const now = current[name as keyof Page]
    return now !== base[name as keyof Page] && now !== value
  })

/** How the names of the unsaved texts of a page begin. */
export const unsavedPrefix = (pageId: string): string => `page:${pageId}:`

/** The names of the texts of a page that this device has. */
export function unsavedNames(pageId: string): string[] {
  try {
    const start = `void:draft:${unsavedPrefix(pageId)}`
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(start))
      .map((key) => key.slice('void:draft:'.length))
  } catch {
    return []
  }
}

const pageSize = 40

/** The request for the audit rows of an entity, newest first. */
export const auditPath = (id: string, cursor: string | null): string =>
  withQuery('/api/audit', { entity_id: id, limit: pageSize, cursor })
