// The service worker: keeps the page for writing a note, and shows it where the server cannot be reached. It stores the
// files of that page alone, which hold nothing of anybody's: no other page, and no answer of the API.

// Filled in by lib/api/web/installable.ts.
declare const shellVersion: string
declare const shellFiles: string[]
declare const capturePath: string
declare const signOutPath: string

type Waits = Event & { waitUntil(work: Promise<unknown>): void }
type FetchEvent = Waits & {
  request: Request
  preloadResponse: Promise<Response | undefined>
  respondWith(response: Promise<Response>): void
}
type Worker = {
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  registration: ServiceWorkerRegistration
  addEventListener(type: 'install' | 'activate', listener: (event: Waits) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
}

const worker = globalThis as unknown as Worker
/** Storage is that of the whole host, where another Void may be below another path. */
const prefix = `void-shell-${capturePath}-`
const cacheName = `${prefix}${shellVersion}`

worker.addEventListener('install', (event) => event.waitUntil(install()))
worker.addEventListener('activate', (event) => event.waitUntil(activate()))
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin) return
  if (request.method === 'POST' && pathname === signOutPath) event.respondWith(signOut(request))
  else if (request.method !== 'GET') return
  else if (request.mode === 'navigate' && request.destination === 'document')
    event.respondWith(navigate(event))
  else if (shellFiles.includes(pathname)) event.respondWith(fromShell(request))
})

async function install(): Promise<void> {
  const cache = await caches.open(cacheName)
  await cache.addAll([capturePath, ...shellFiles])
  await worker.skipWaiting()
}

async function activate(): Promise<void> {
  await dropCaches(cacheName)
  await worker.registration.navigationPreload?.enable()
  await worker.clients.claim()
}

async function navigate({ request, preloadResponse }: FetchEvent): Promise<Response> {
  try {
    return (await preloadResponse) ?? (await fetch(request))
  } catch (error) {
    const page = await caches.match(capturePath, { cacheName })
    if (page) return page
    throw error
  }
}

async function fromShell(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName })) ?? (await fetch(request))
}

/** Nothing of this app stays in the browser of somebody who has signed out. */
async function signOut(request: Request): Promise<Response> {
  const response = await fetch(request)
  if (response.ok || response.type === 'opaqueredirect') {
    await dropCaches(null)
    await worker.registration.unregister()
  }
  return response
}

async function dropCaches(except: string | null): Promise<void> {
  const names = await caches.keys()
  await Promise.all(
    names.filter((name) => name.startsWith(prefix) && name !== except).map((name) => caches.delete(name)),
  )
}
