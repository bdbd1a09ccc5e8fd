// What a view is: a module that exports `view = defineView({ … })`, an address in routes.ts and a line in views.ts.

import type { Space } from '../../lib/contract/entities.ts'
import type { LiveEvent } from '../../lib/contract/events/live.ts'
import { outwardUrl } from '../ui/address.ts'
import type { Child } from '../ui/dom.ts'
import type { Reader } from './api/api.ts'
import type { AppContext, Subject, Tab } from './app.ts'

/** What a view can load its data with. `load` runs on the server for the first paint. */
export type LoadContext = {
  url: URL
  /** The parts of the address that routes.ts names, such as `id`. */
  params: Readonly<Record<string, string>>
  /** The Space of the address; elsewhere the one last looked at. `null` when there is none at all. */
  space: Space | null
  api: Reader
  now: Date
}

export type ViewContext = LoadContext &
  AppContext & {
    /**
     * Loads again and shows the result. Focus, scroll position and unsent input in fields with an id stay. The
     * result is dropped when `isOutdated` returns true by then.
     */
    refresh(isOutdated?: () => boolean): Promise<void>
  }

type Layout = 'reading' | 'wide' | 'alone'

type ViewDefinition<Data> = {
  /** Reads everything the view shows. Its GETs travel with the page, so the browser does not ask again. */
  load(context: LoadContext): Promise<Data>
  title(data: Data, context: LoadContext): string
  /** Builds the content. Runs on the server too: only `el` and what is built on it, no `window`, no `document`. */
  render(data: Data, context: ViewContext): Child
  /**
   * `reading` (default): 72 characters wide, in the middle. `wide`: the whole column. `alone`: also without the rail,
   * until it is asked for.
   */
  layout?: Layout | ((data: Data, context: LoadContext) => Layout)
  subject?(data: Data, context: LoadContext): Subject | null
  /** Browser only, once the nodes are in `root`: keys, live state, editors. Runs again after every refresh. */
  mount?(root: HTMLElement, data: Data, context: ViewContext): void
  /** Whether something that happened elsewhere concerns what is shown; the view is then refreshed. */
  affectedBy?(event: LiveEvent, data: Data, context: LoadContext): boolean
  /** Live events never refresh it, not even missed ones: an editor has to keep its text and its caret. */
  keepsItself?(data: Data, context: LoadContext): boolean
}

/** A view bound to its data, whose type is hidden. */
export type OpenView = {
  title: string
  layout: Layout
  subject: Subject | null
  render(context: ViewContext): Child
  mount(root: HTMLElement, context: ViewContext): void
  affectedBy(event: LiveEvent): boolean
  keepsItself: boolean
}

export type View = { open(context: LoadContext): Promise<OpenView> }

export function defineView<Data>(definition: ViewDefinition<Data>): View {
  return {
    async open(context) {
      const data = await definition.load(context)
      const { layout } = definition
      return {
        title: definition.title(data, context),
        layout: (typeof layout === 'function' ? layout(data, context) : layout) ?? 'reading',
        subject: definition.subject?.(data, context) ?? null,
        render: (whole) => definition.render(data, whole),
        mount: (root, whole) => definition.mount?.(root, data, whole),
        get keepsItself() {
          return definition.keepsItself?.(data, context) ?? false
        },
        affectedBy: (event) => definition.affectedBy?.(event, data, context) ?? false,
      }
    },
  }
}

/**
 * Changes the query of the URL and refreshes the view: focus and scroll position stay, and the history gets no entry. A
 * value that is null or empty is removed.
 */
export async function changeQuery(
  { url, refresh }: Pick<ViewContext, 'url' | 'refresh'>,
  changes: Record<string, string | number | null>,
): Promise<void> {
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') url.searchParams.delete(name)
    else url.searchParams.set(name, String(value))
  }
  history.replaceState(history.state, '', outwardUrl(url))
  await refresh()
}

/** The tab of a URL and its view. The right pane and highlights are not part of the tab's URL. */
export function tabOf(url: URL, { title, subject }: Pick<OpenView, 'title' | 'subject'>): Tab {
  const query = new URLSearchParams(url.search)
  query.delete('beside')
  query.delete('cite')
  query.delete('turn')
  query.delete('call')
  const path = url.pathname
  const href = query.size > 0 ? `${path}?${query}` : path
  const place = /^\/s\/[^/]+(?:\/([^/]+))?/.exec(path)
  const view = place ? (place[1] ?? 'home') : (path.split('/')[1] ?? '')
  return { href, title, kind: subject && subject.entityType !== 'space' ? subject.entityType : view }
}
