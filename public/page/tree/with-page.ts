import type { Page } from '../../../lib/contract/entities.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import type { App } from '../../app/app.ts'
import { pagePath } from '../data/change-page.ts'

/** Calls `use` with the whole page, because the tree does not have its version. Failures are shown as toasts. */
export const withPage = (app: App, id: string, use: (page: Page) => Promise<unknown>): Promise<void> =>
  toastFailure(app, app.api.get<Page>(pagePath(id)).then(use))
