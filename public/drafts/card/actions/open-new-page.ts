import type { Card } from '../../../../lib/contract/changes/card.ts'
import type { App } from '../../../app/app.ts'
import { entityHref } from '../../../ui/words/addresses.ts'

/** Opens a page that an approval has just made, unless it is what is shown. */
export function openNewPage(app: App, { entity_type, entity_id, space }: Card): void {
  const { spaces, path } = app.state.get()
  const slug = spaces.find(({ id }) => id === space.id)?.slug
  const href = slug && entityHref(slug, entity_type, entity_id)
  if (href && entity_type === 'page' && path !== href) app.navigate(href)
}
