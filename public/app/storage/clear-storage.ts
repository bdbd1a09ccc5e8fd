import { basePath } from '#platform'

/**
 * Removes what Void has stored on this device, for a browser that signs out. At the root of a host the server has the
 * browser remove all of it (`Clear-Site-Data`); below a path the storage is also that of other applications.
 */
export function clearStorage(): void {
  globalThis.navigator?.serviceWorker?.controller?.postMessage({ signedOut: true })
  if (basePath === '') return
  for (const storage of [localStorage, sessionStorage]) {
    for (const key of Object.keys(storage)) if (key.startsWith('void:')) storage.removeItem(key)
  }
}
