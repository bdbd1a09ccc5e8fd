import type { Panel } from '../../lib/contract/events/effects.ts'
import type { Tab } from '../app/app-state.ts'
import { panelHref } from '../entities/panel-href.ts'

/** The tab of a panel; `null` where it has no address. */
export function tabOfPanel(
  panel: Panel,
  context: { spaces: readonly { id: string; slug: string }[] },
): Tab | null {
  const href = panelHref(panel, context)
  return href === null ? null : { href, title: panel.title, kind: 'kind' in panel ? panel.kind : panel.view }
}
