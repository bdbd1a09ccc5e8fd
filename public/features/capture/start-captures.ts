// In the app: sends what was written on the page for notes while there was no connection.

import type { AppContext } from '../../app/app.ts'
import { registerServiceWorker } from './register-service-worker.ts'
import { createNoteSender } from './send-waiting.ts'
import { listWaiting, waitingText } from './waiting-notes.ts'

export function startCaptures({ app, signal }: AppContext): void {
  registerServiceWorker()
  const send = createNoteSender(app.api)
  const sendNow = async () => {
    if (listWaiting().length === 0) return
    const { stored, left } = await send()
    if (stored.length > 0)
      app.toast(stored.length === 1 ? 'Saved 1 waiting note.' : `Saved ${stored.length} waiting notes.`)
    if (left.length > 0) {
      app.toast(`${waitingText(left.length)}.`, {
        action: { label: 'Show', run: () => location.assign('/capture') },
      })
    }
  }
  window.addEventListener('online', sendNow, { signal })
  void sendNow()
}
