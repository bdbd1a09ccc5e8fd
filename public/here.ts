import type { AppState } from './app.ts'
import type { OpenView } from './view.ts'

/** Where one is, as a tab says it; what is beside it and what is marked are no part of that. */
export function hereOf(url: URL, { title, subject }: Pick<OpenView, 'title' | 'subject'>): AppState['here'] {
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
