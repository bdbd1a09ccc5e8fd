// The service worker: shows the page for writing a note, and what was read lately, where the server cannot be reached. The
// shell is that page, an empty page of the app, and their files, which hold nothing of anybody's; kept-pages.ts stores the rest.

import { createKeptPages, type Painted } from './kept-pages.ts'

// Filled in by lib/api/web/installable.ts.
declare const shellVersion: string
declare const shellFiles: string[]
declare const capturePath: string
declare const offlinePath: string
declare const signInPath: string
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
  addEventListener(
    type: 'message',
    listener: (event: Waits & { data: { painted?: Painted; signedOut?: true } }) => void,
  ): void
}

const worker = globalThis as unknown as Worker
/** Storage is that of the whole host, where another Void may be below another path. */
const prefixes = { app: `void-shell-${capturePath}-`, kept: `void-kept-${capturePath}-` }
const cacheName = prefixes.app + shellVersion
/** Of this version, whose code reads what is in it. */
const keptName = prefixes.kept + shellVersion
const kept = createKeptPages({
  caches,
  cacheName: keptName,
  origin: location.origin,
  base: capturePath.replace(/\/capture$/, ''),
  send: (request) => fetch(request),
  now: () => new Date(),
})

worker.addEventListener('install', (event) => event.waitUntil(install()))
worker.addEventListener('activate', (event) => event.waitUntil(activate()))
worker.addEventListener('message', (event) => {
  const { painted, signedOut } = event.data
  if (signedOut) event.waitUntil(kept.drop())
  if (painted) event.waitUntil(kept.add(painted))
})
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin) return
  if (request.method === 'POST' && pathname === signOutPath) event.respondWith(signOut(request))
  else if (request.mode === 'navigate') {
    if (request.method !== 'GET' || request.destination !== 'document') return
    // Also after a session that has ended elsewhere.
    if (pathname === signInPath) event.waitUntil(kept.drop())
    event.respondWith(navigate(event, pathname))
  } else if (request.method === 'GET' && shellFiles.includes(pathname)) event.respondWith(fromShell(request))
  else {
    const answer = kept.answer(request, (work) => event.waitUntil(work))
    if (answer) event.respondWith(answer)
  }
})

async function install(): Promise<void> {
  const cache = await caches.open(cacheName)
  await cache.addAll([capturePath, offlinePath, ...shellFiles])
  await worker.skipWaiting()
}

async function activate(): Promise<void> {
  await dropCaches([cacheName, keptName])
  await worker.registration.navigationPreload?.enable()
  await worker.clients.claim()
}

async function navigate({ request, preloadResponse }: FetchEvent, pathname: string): Promise<Response> {
  try {
    return (await preloadResponse) ?? (await fetch(request))
  } catch (error) {
    const isNote = pathname === capturePath || !(await kept.hasPages())
    const page = await caches.match(isNote ? capturePath : offlinePath, { cacheName })
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
    await kept.drop()
    await dropCaches([])
    await worker.registration.unregister()
  }
  return response
}

async function dropCaches(except: readonly string[]): Promise<void> {
  const names = await caches.keys()
  const own = names.filter((name) => Object.values(prefixes).some((prefix) => name.startsWith(prefix)))
  await Promise.all(own.filter((name) => !except.includes(name)).map((name) => caches.delete(name)))
}
