import type { App } from '../../app/app.ts'
import { loadRecentItems } from '../../app/storage/recent-items.ts'
import { kindIcon } from '../../ui/components/icon.ts'
import { kindLabel } from '../../ui/words/addresses.ts'
import type { Entry } from './entries.ts'

/** The entities viewed last, without the one that is shown. */
export function recentEntries(app: App, max: number): Entry[] {
  const { path, space } = app.state.get()
  return loadRecentItems()
    .filter(({ href }) => href !== path)
    .slice(0, max)
    .map(({ href, type, title, space: name }) => ({
      key: href,
      icon: kindIcon(type),
      title,
      hint: [kindLabel(type), name !== space?.name && name].filter(Boolean).join(' · '),
      run: () => app.navigate(href),
    }))
}
