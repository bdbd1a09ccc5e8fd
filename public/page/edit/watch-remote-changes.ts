import type { Page } from '../../../lib/contract/entities.ts'
import { ApiError } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { pagePath } from '../data/change-page.ts'
import type { Autosave } from './autosave.ts'

type WatchOptions = { app: App; page: Page; autosave: Autosave; signal: AbortSignal }

/** Passes changes of the page from elsewhere on to the autosave. */
export function watchRemoteChanges({ app, page, autosave, signal }: WatchOptions): void {
  app.live.on((event) => {
    if (event.type === 'hello' && !event.data.resumed) check()
    if (event.type !== 'entity' || event.data.id !== page.id) return
    if (event.data.action === 'delete')
      autosave.fail(new ApiError(404, 'in_trash', 'The page is in the trash.'))
    else check(event.data.version)
  }, signal)

  async function check(version = Infinity): Promise<void> {
    // Our own save emits an event too, often before its response arrives.
    await autosave.settled()
    if (signal.aborted || version <= autosave.base().version) return
    const theirs = await app.api.get<Page>(pagePath(page.id)).catch(() => null)
    if (!theirs || signal.aborted) return
    await autosave.settled()
    autosave.reconcile(theirs)
  }
}
