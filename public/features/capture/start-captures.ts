// In the app: sends what was written on the page for notes while there was no connection.

import type { AppContext } from '../../app/app.ts'
import { leaveFor, outward } from '../../ui/address.ts'
import { sendAgain } from './send-again.ts'
import { createNoteSender, waitingText } from './waiting-notes.ts'

export function startCaptures({ app, signal }: AppContext): void {
  registerServiceWorker()
  void storeFirstPaint()
  const send = createNoteSender(app.api)
  let told = 0
  const sendNow = sendAgain(async () => {
    const { saved, pending, stopped } = await send()
    if (saved.length > 0)
      app.toast(saved.length === 1 ? 'Saved 1 waiting note.' : `Saved ${saved.length} waiting notes.`)
    if (pending.length > told) {
      app.toast(`${waitingText(pending.length)}.`, {
        action: { label: 'Show', run: () => leaveFor('/capture') },
      })
    }
    // Not again with each attempt.
    told = pending.length
    return stopped
  }, signal)
  void sendNow()
}

const path = '/service-worker.js'

type Policies = { createPolicy(name: string, rules: object): { createScriptURL(url: string): unknown } }

/** Registers the service worker, where the browser has any: over https, and on the machine itself. */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator)) return
  const policies: Policies | undefined = Reflect.get(globalThis, 'trustedTypes')
  // The only script of a worker that this page may start, whatever is asked for.
  const trusted = policies
    ?.createPolicy('service-worker', { createScriptURL: () => outward(path) })
    .createScriptURL('')
  navigator.serviceWorker
    .register((trusted ?? outward(path)) as string, { updateViaCache: 'none' })
    .catch(() => {
      // Without it everything works but what works offline.
    })
}

/** Has the service worker store what came with the page, and what the page loaded before there was a service worker. */
async function storeFirstPaint(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const container = navigator.serviceWorker
  const asOf = new Date(performance.timeOrigin).toISOString()
  if (!container.controller)
    await new Promise((resolve) => container.addEventListener('controllerchange', resolve, { once: true }))
  const answers = JSON.parse(document.querySelector('#preloaded')?.textContent ?? '{}')
  const assets = performance.getEntriesByType('resource').map(({ name }) => name)
  container.controller?.postMessage({ painted: { answers, asOf, assets } })
}
