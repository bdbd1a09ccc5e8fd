import type { Panel } from '../../lib/contract/effects.ts'
import { entityHref, spaceHref } from '../addresses.ts'
import type { Tab } from './desk-state.ts'

/** The Spaces that the session can see. */
type Known = { spaces: readonly { id: string; slug: string }[] }

/** The tab that a panel becomes; `null` for a Space that is not there, or a kind that has no address. */
export function toTab(panel: Panel, context: Known): Tab | null {
  const href = hrefOfPanel(panel, context)
  return href === null ? null : { href, title: panel.title, kind: 'kind' in panel ? panel.kind : panel.view }
}

/** The address of a panel, with the words that are marked there. */
export function hrefOfPanel(panel: Panel, { spaces }: Known, mark?: string): string | null {
  const slug = spaces.find(({ id }) => id === panel.space_id)?.slug
  if (slug === undefined) return null
  if ('kind' in panel) return entityHref(slug, panel.kind, panel.id, mark)
  const { view, q } = panel
  if (view === 'home') return spaceHref(slug)
  if (view === 'search') return `/search?q=${encodeURIComponent(q ?? '')}`
  return view === 'inbox' || view === 'activity' ? `/${view}` : `${spaceHref(slug)}/${view}`
}
