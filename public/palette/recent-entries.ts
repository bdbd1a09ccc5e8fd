import { kindLabel } from '../addresses.ts'
import type { App } from '../app.ts'
import { kindIcon } from '../components/icon.ts'
import { readRecent } from '../recent.ts'
import type { Entry } from './entries.ts'

/** What was looked at last, but for what is shown now. */
export function recentEntries(app: App, most: number): Entry[] {
  const { path, space } = app.state.get()
  return readRecent()
    .filter(({ href }) => href !== path)
    .slice(0, most)
    .map(({ href, type, title, space: name }) => ({
      key: href,
      icon: kindIcon(type),
      title,
      hint: [kindLabel(type), name !== space?.name && name].filter(Boolean).join(' · '),
      run: () => app.navigate(href),
    }))
}
