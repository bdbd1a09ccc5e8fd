import type { Panel } from '../../../lib/contract/events/effects.ts'
import type { Tab } from '../../app/app.ts'
import { panelHref } from '../../app/panel-href.ts'

/** The tab of a panel; `null` where it has no address. */
export function tabOfPanel(
  panel: Panel,
  context: { spaces: readonly { id: string; slug: string }[] },
): Tab | null {
  const href = panelHref(panel, context)
  if (href === null) return null
  if (!('kind' in panel)) return { href, title: panel.title, kind: panel.view }
  return { href: panel.draft ? `${href}?draft=1` : href, title: panel.title, kind: panel.kind }
}
