const path = '/service-worker.js'

type Policies = { createPolicy(name: string, rules: object): { createScriptURL(url: string): unknown } }

/** Registers the service worker, where the browser has any: over https, and on the machine itself. */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator)) return
  const policies: Policies | undefined = Reflect.get(globalThis, 'trustedTypes')
  // The only script of a worker that this page may start, whatever is asked for.
  const trusted = policies
    ?.createPolicy('service-worker', { createScriptURL: () => path })
    .createScriptURL('')
  navigator.serviceWorker.register((trusted ?? path) as string, { updateViaCache: 'none' }).catch(() => {
    // Without it everything works but what works offline.
  })
}
