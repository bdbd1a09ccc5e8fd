import type { AuditRow } from '../../../lib/contract/audit.ts'
import type { EntityVersion, Links, Page, Properties } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { PagePlace } from '../../../lib/contract/space/pages.ts'
import type { ViewContext } from '../../app/view.ts'
import type { Child } from '../../ui/dom.ts'
import type { MarkdownContext } from '../../ui/markdown/markdown.ts'

/** The data of a page's view, by its mode. */
export type PageData = LivePage | PageHistory | { mode: 'deleted'; page: Page }

export type LivePage = {
  mode: 'read' | 'edit'
  page: Page
  links: Links
  place: PagePlace
  /** Empty in the editor. */
  properties: Properties
  embed: Embedder | undefined
  /** Loaded with the page where it has properties. */
  renderProperties?: (properties: Properties, context: { slug: string; links: Links['links'] }) => Child
  /** Loaded where the page is edited. */
  renderEdit?: (data: LivePage, context: ViewContext) => Child
  /** While the title is edited, changes from elsewhere wait. */
  held?: boolean
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
