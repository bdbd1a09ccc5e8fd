// What was read lately, for a browser that cannot reach the server: the answers that show pages, Home and the frame around
// them, the pictures in them, and the files of the app. Views that list, count or search are not stored.

export const maxPages = 80
const maxFrameAnswers = 200
const maxPictures = 80
const maxAssets = 400
const maxBytes = 2_000_000

/** The header of an answer from here: when the server gave it, in ISO 8601. */
const asOfHeader = 'void-as-of'

/** What a server behind a proxy answers that is not there. */
const unreachableStatuses = [502, 503, 504]

type Kind = 'page' | 'frame' | 'picture' | 'asset'

const kinds: [kind: Kind, pattern: RegExp][] = [
  ['page', /^\/api\/pages\/[\da-f-]{36}(?:\/(?:links|place|properties|embeds))?$/],
  [
    'frame',
    /^\/api\/(?:inbox|spaces(?:\/[\da-f-]{36}\/(?:companion|contents|favourites|overview|page-tree))?)$/,
  ],
  ['picture', /^\/api\/source-docs\/[\da-f-]{36}\/original$/],
  ['asset', /^\/assets\/[^/]+$/],
]

export type KeptPages = {
  /** What answers this request, which comes from a page of the app; `null`: not a matter for the store. */
  answer(request: Request, until: (work: Promise<unknown>) => void): Promise<Response> | null
  /** Stores answers by path within Void that the server sent in another way, with its files by address. */
  add(painted: Painted): Promise<void>
  /** Whether there is anything to read. */
  hasPages(): Promise<boolean>
  /** Removes everything, also what is on its way. */
  drop(): Promise<void>
}

export type Painted = { answers: Record<string, unknown>; asOf: string; assets: string[] }

type Options = {
  caches: Pick<CacheStorage, 'open' | 'delete'>
  cacheName: string
  /** Where Void is: an origin, and the path that it is served below. */
  origin: string
  base: string
  send: (request: Request) => Promise<Response>
  now: () => Date
}

export function createKeptPages({ caches, cacheName, origin, base, send, now }: Options): KeptPages {
  // What was asked for before the store was dropped must not get into it afterwards.
  let dropped = 0
  // After that nothing is stored, nor is the store opened, which would make it anew, until somebody is signed in again.
  let isClosed = false
  let last: Promise<unknown> = Promise.resolve()

  return { answer, add, hasPages, drop }

  function answer(request: Request, until: (work: Promise<unknown>) => void): Promise<Response> | null {
    const kind = isClosed ? null : kindOf(request.url)
    if (kind === 'asset' && request.method === 'GET') return fromStore(request, until)
    if (kind === 'page' && request.method !== 'GET') return write(request, until)
    if (kind === null || request.method !== 'GET') return null
    if (kind === 'picture' && request.destination !== 'image') return null
    return fromServer(request, kind, until)
  }

  async function fromServer(request: Request, kind: Kind, until: (work: Promise<unknown>) => void) {
    const before = dropped
    const response = await send(request).catch((error: unknown) => error)
    if (!(response instanceof Response) || unreachableStatuses.includes(response.status)) {
      const stored = request.signal.aborted ? null : await find(request.url, kind)
      if (stored) return stored
      if (response instanceof Response) return response
      throw response
    }
    if (response.status === 200) until(store(request.url, response.clone(), { kind, before }))
    else if (response.status === 401) until(drop())
    else if (response.status < 500) until(remove(request.url))
    return response
  }

  /** Files have names of their content. */
  async function fromStore(request: Request, until: (work: Promise<unknown>) => void): Promise<Response> {
    const before = dropped
    const stored = await (await open())?.match(request.url)
    if (stored) return stored
    const response = await send(request)
    if (response.status === 200) until(store(request.url, response.clone(), { kind: 'asset', before }))
    return response
  }

  /** A page that is changed here is answered as its GET answers it. */
  async function write(request: Request, until: (work: Promise<unknown>) => void): Promise<Response> {
    const before = dropped
    const response = await send(request)
    const isPage = request.method === 'PATCH' && response.status === 200
    if (isPage) until(store(request.url, response.clone(), { kind: 'page', before }))
    else if (response.ok) until(remove(request.url))
    return response
  }

  async function add({ answers, asOf, assets }: Painted): Promise<void> {
    isClosed = false
    const before = dropped
    for (const [path, value] of Object.entries(answers)) {
      const kind = kindOf(origin + base + path)
      const headers = { 'content-type': 'application/json' }
      if (kind === 'page' || kind === 'frame')
        await store(origin + base + path, new Response(JSON.stringify(value), { headers }), {
          kind,
          before,
          asOf,
        })
    }
    for (const url of assets) {
      if (kindOf(url) !== 'asset' || (await (await open())?.match(url))) continue
      const response = await send(new Request(url)).catch(() => null)
      if (response?.status === 200) await store(url, response, { kind: 'asset', before })
    }
  }

  async function hasPages(): Promise<boolean> {
    const keys = (await (await open())?.keys()) ?? []
    return keys.some(({ url }) => kindOf(url) === 'frame')
  }

  function drop(): Promise<void> {
    dropped += 1
    isClosed = true
    return inTurn(async () => {
      await caches.delete(cacheName)
    })
  }

  type Stored = { kind: Kind; before: number; asOf?: string }

  async function store(url: string, response: Response, { kind, before, asOf }: Stored): Promise<void> {
    const body = await response.blob()
    if (body.size > maxBytes) return
    const headers = new Headers(response.headers)
    for (const name of ['content-encoding', 'content-length', 'clear-site-data']) headers.delete(name)
    if (kind !== 'asset') headers.set(asOfHeader, asOf ?? now().toISOString())
    await inTurn(async () => {
      const cache = before === dropped ? await open() : null
      if (!cache) return
      // What is stored again becomes the newest.
      await cache.delete(url)
      await cache.put(url, new Response(body, { headers }))
      await trim(cache, kind)
    })
  }

  async function remove(url: string): Promise<void> {
    await inTurn(async () => {
      await (await open())?.delete(url)
    })
  }

  async function find(url: string, kind: Kind): Promise<Response | null> {
    const cache = await open()
    if (!cache) return null
    const exact = await cache.match(url)
    if (exact || kind !== 'frame') return exact ?? null
    // The tree as it was last shown, opened down to another page.
    const asked = new URL(url)
    if (isPartOfTree(asked)) return null
    const keys = (await cache.keys()).map((key) => new URL(key.url))
    const other = keys.findLast((key) => key.pathname === asked.pathname && !isPartOfTree(key))
    return (other && (await cache.match(other.href))) ?? null
  }

  /** Removes the oldest of a kind: of pages with all answers that show one. */
  async function trim(cache: Cache, kind: Kind): Promise<void> {
    const urls = (await cache.keys()).map(({ url }) => url).filter((url) => kindOf(url) === kind)
    const groups = kind === 'page' ? Map.groupBy(urls.reverse(), pageIdIn) : null
    const extra = groups
      ? [...groups.values()].slice(maxPages).flat()
      : urls.slice(
          0,
          -{ frame: maxFrameAnswers, picture: maxPictures, asset: maxAssets, page: maxPages }[kind],
        )
    for (const url of extra) await cache.delete(url)
  }

  function kindOf(url: string): Kind | null {
    if (!url.startsWith(`${origin}${base}/`)) return null
    const path = new URL(url).pathname.slice(base.length)
    return kinds.find(([, pattern]) => pattern.test(path))?.[0] ?? null
  }

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }

  function open(): Promise<Cache> | null {
    return isClosed ? null : caches.open(cacheName)
  }
}

const isPartOfTree = ({ searchParams }: URL) => searchParams.has('below') || searchParams.has('from')

const pageIdIn = (url: string) => /\/api\/pages\/([\da-f-]{36})/.exec(url)?.[1]
