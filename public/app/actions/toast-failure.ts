import { messageOf } from '../api/api.ts'
import type { App } from '../app.ts'

/** Waits for work whose failure is shown as a toast. Never rejects. */
export async function toastFailure({ toast }: Pick<App, 'toast'>, work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => toast(messageOf(error), { tone: 'problem' }))
}
