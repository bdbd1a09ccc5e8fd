import type { Panel } from '../../lib/contract/events/effects.ts'
import { entityHref, spaceHref } from '../ui/words/addresses.ts'

/**
 * The address of a panel, with the words that are marked there; `null` for a Space that the session cannot see, or a
 * kind that has no address.
 */
export function panelHref(
  panel: Panel,
  { spaces }: { spaces: readonly { id: string; slug: string }[] },
  mark?: string,
): string | null {
  const slug = spaces.find(({ id }) => id === panel.space_id)?.slug
  if (slug === undefined) return null
  if ('kind' in panel) return entityHref(slug, panel.kind, panel.id, mark)
  const { view, q } = panel
  if (view === 'home') return spaceHref(slug)
  if (view === 'search') return `/search?q=${encodeURIComponent(q ?? '')}`
  return view === 'inbox' || view === 'activity' ? `/${view}` : `${spaceHref(slug)}/${view}`
}
