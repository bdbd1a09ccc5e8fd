import type { Page } from '../../lib/contract/entities.ts'
import { ApiError } from '../api.ts'
import type { App } from '../app.ts'
import type { Autosave } from './autosave.ts'
import { pagePath } from './change-page.ts'

type Hearing = { app: App; page: Page; autosave: Autosave; signal: AbortSignal }

/** Tells the saving at once when the page that is being written changes elsewhere. */
export function hearChanges({ app, page, autosave, signal }: Hearing): void {
  app.live.on((event) => {
    if (event.type === 'hello' && !event.data.resumed) look()
    if (event.type !== 'entity' || event.data.id !== page.id) return
    if (event.data.action === 'delete')
      autosave.fail(new ApiError(404, 'in_trash', 'The page is in the trash.'))
    else look(event.data.version)
  }, signal)

  async function look(version = Infinity): Promise<void> {
    // Our own save is told of too, often before its answer is here.
    await autosave.settled()
    if (signal.aborted || version <= autosave.base().version) return
    const theirs = await app.api.get<Page>(pagePath(page.id)).catch(() => null)
    if (!theirs || signal.aborted) return
    await autosave.settled()
    autosave.meet(theirs)
  }
}
