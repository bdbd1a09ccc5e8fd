import type { Links } from '../../../lib/contract/entities.ts'
import type { ViewContext } from '../../app/view.ts'
import { pagePath } from '../data/change-page.ts'
import { loadEmbeds } from '../data/load-embeds.ts'
import type { Autosave, Stored } from './autosave.ts'
import type { Preview } from './preview.ts'

/** Shows what has changed with a save: the title of the window and of the tab, the links of the preview. */
export async function showSaved(
  stored: Stored,
  { setLinks, autosave, pageId }: { setLinks: Preview['setLinks']; autosave: Autosave; pageId: string },
  { app, signal }: ViewContext,
): Promise<void> {
  if (signal.aborted) return
  app.state.set({ subject: { entityType: 'page', entityId: pageId, title: stored.title } })
  document.title = `${stored.title} · Void`
  const { here } = app.state.get()
  if (here.title !== stored.title) app.state.set({ here: { ...here, title: stored.title } })
  try {
    const { links } = await app.api.get<Links>(`${pagePath(pageId)}/links`, { signal })
    const embedder = await loadEmbeds(app.api, pageId, links)
    // The links of an earlier version may arrive after those of a later one.
    if (stored.version >= autosave.base().version) setLinks(links, embedder)
  } catch {
    // The preview keeps the links that it has.
  }
}
