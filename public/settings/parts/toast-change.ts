import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'

/** Makes a change and says so, or why not; then the view is read again. Never rejects. */
export type ToastChange = (work: () => Promise<unknown>, done: string) => Promise<void>

export const createToastChange =
  ({ app, refresh }: ViewContext): ToastChange =>
  async (work, done) => {
    try {
      await work()
      app.toast(done)
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
    await refresh()
  }
