import type { Tab } from './app-state.ts'
import type { OpenView } from './view.ts'

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
