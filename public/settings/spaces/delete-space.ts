import type { Space } from '../../../lib/contract/entities.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'

type Refresh = () => Promise<void>

/** Moves a Space to the trash with all its content, and offers Undo. */
export async function deleteSpace(app: App, space: Space, refresh: Refresh): Promise<void> {
  try {
    await app.api.delete(`/api/spaces/${space.id}`, { version: space.version })
    const action = { label: 'Undo', run: () => restoreSpace(app, space, refresh) }
    app.toast(`Moved the Space ${quoteShown(space.name)} to trash.`, { action })
  } catch (error) {
    app.toast(messageOf(error), { tone: 'problem' })
  }
  await refresh()
}

export async function restoreSpace(app: App, space: Space, refresh: Refresh): Promise<void> {
  await toastFailure(app, app.api.post(`/api/spaces/${space.id}/restore`))
  await refresh()
}
