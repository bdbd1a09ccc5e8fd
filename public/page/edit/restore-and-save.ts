import type { Page } from '../../../lib/contract/entities.ts'
import { type Api, ApiError } from '../../app/api/api.ts'
import { pagePath } from '../data/page-data.ts'
import type { Autosave } from './autosave.ts'

/** Restores the page and saves the text on top, unless the page was changed elsewhere before it went into the trash. */
export async function restoreAndSave(api: Api, pageId: string, autosave: Autosave): Promise<void> {
  const at = pagePath(pageId)
  const restored = await api.post<Page>(`${at}/restore`).catch((error: unknown) => {
    // Another device was first.
    if (error instanceof ApiError && error.status === 404) return api.get<Page>(at)
    throw error
  })
  autosave.reconcile(restored)
  await autosave.flush()
}
