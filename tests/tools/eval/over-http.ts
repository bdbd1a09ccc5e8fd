// The same questions as the evaluator asks, of a whole server: pages are written by its API, with their paths and so their
// links, and asked for by `GET /api/search`. Conversations can't be written so, and are indexed as the evaluator does.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Deps } from '../../../lib/api/deps.ts'
import { createTemporaryKeyring } from '../../../lib/auth/secrets/master-key.ts'
import type { SearchPage } from '../../../lib/contract/space/search.ts'
import { createLogger } from '../../../lib/core/logger.ts'
import type { Database } from '../../../lib/db/pool.ts'
import { reindex } from '../../../lib/search/reindex.ts'
import { createApp, createHttpServer } from '../../../lib/server/app.ts'
import { assemble } from '../../../lib/server/assemble.ts'
import { loadConfig } from '../../../lib/server/config.ts'
import type { EvalDocument } from './collection.ts'
import { createCollectionIndex } from './collection-index.ts'
import type { EvalOptions, Named } from './evaluate.ts'
import { judge, meanQuality, type Quality } from './metrics.ts'
import type { Report } from './report.ts'
import { measureTitles, type TitleRow } from './title-tables.ts'
import { withTypo } from './typo.ts'

const ownerToken = 'evaluation'

export type Api = {
  deps: Deps
  get<Answer>(path: string, query: Record<string, string | number>): Promise<Answer>
  post<Answer>(path: string, body: unknown): Promise<Answer>
  close(): Promise<void>
}

/** A server on loopback. Throws for an answer that is an error. */
async function openApi(database: Database): Promise<Api> {
  const config = loadConfig({ DATA_DIR: '.' }, '')
  const deps = assemble(config, {
    ...{ database, ownerToken },
    ...{ keyring: createTemporaryKeyring(), logger: createLogger('silent') },
  })
  const server = createHttpServer(createApp(deps, config)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send = async <Answer>(path: string, init: RequestInit = {}): Promise<Answer> => {
    const headers = { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/json' }
    const answer = await fetch(origin + path, { ...init, headers })
    if (!answer.ok) throw new Error(`${path.slice(0, 200)}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
  return {
    deps,
    get: (path, query) =>
      send(
        `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]))}`,
      ),
    post: (path, body) => send(path, { method: 'POST', body: JSON.stringify(body) }),
    async close() {
      server.close()
      server.closeAllConnections()
      await deps.threads.close()
    },
  }
}

type Written = {
  collection: Named
  spaceId: string
  /** Of its documents, by their ids. */
  pages: ReadonlyMap<string, string>
  documentsOf: DocumentsOf
  indexing: number
}
type DocumentsOf = (hits: readonly { entity_id: string; start_line: number }[]) => string[]

export async function evaluateOverHttp(
  database: Database,
  collections: readonly Named[],
  { mixed, typos, titles = false }: Pick<EvalOptions, 'mixed' | 'typos'> & { titles?: boolean },
): Promise<{ reports: Report[]; titles: (TitleRow & { name: string })[] }> {
  const api = await openApi(database)
  try {
    const newSpace = async (name: string) => (await api.post<{ id: string }>('/api/spaces', { name })).id
    const together = mixed ? await newSpace('Mixed') : null
    const written: Written[] = []
    for (const collection of collections) {
      const spaceId = together ?? (await newSpace(collection.name))
      const started = performance.now()
      const { pages, documentsOf } = await writePages(api, spaceId, collection.documents)
      const indexing = (performance.now() - started) / collection.documents.length
      written.push({ collection, spaceId, pages, documentsOf, indexing })
    }
    const { search, kinds } = api.deps
    await search.warm(written.map(({ spaceId }) => spaceId))
    if (await search.adoptAverageLengths()) await reindex({ database, kinds, search })
    await search.maintain()
    const reports: Report[] = []
    for (const one of written) reports.push(await askAll(api, one, typos))
    const rows: (TitleRow & { name: string })[] = []
    for (const { collection, spaceId, pages } of titles ? written : []) {
      const titleOf = new Map(collection.documents.map(({ id, title }) => [id, title]))
      const all = [...pages].map(([id, document]) => ({ id, title: titleOf.get(document)! }))
      for (const row of await measureTitles(api, spaceId, all)) rows.push({ name: collection.name, ...row })
    }
    return { reports, titles: rows }
  } finally {
    await api.close()
  }
}

/** Pages with their paths, where ids are paths; messages as the evaluator indexes them. */
async function writePages(
  api: Api,
  spaceId: string,
  documents: readonly EvalDocument[],
): Promise<Pick<Written, 'pages' | 'documentsOf'>> {
  const ids = new Map<string, string>()
  for (const { id, title, text, thread } of documents) {
    if (thread !== undefined) continue
    const path = id.endsWith('.md') ? { path: id } : {}
    const fields = { title: title.trim() || 'Untitled', body: text, ...path }
    const page = await api.post<{ id: string }>(`/api/spaces/${spaceId}/pages`, fields)
    ids.set(page.id, id)
  }
  const said = documents.filter(({ thread }) => thread !== undefined)
  const { database, search } = api.deps
  const index = createCollectionIndex({ database, search }, spaceId, said)
  await index.write()
  const documentsOf: DocumentsOf = (hits) => [
    ...new Set(hits.flatMap((hit) => ids.get(hit.entity_id) ?? index.documentsOf([hit]))),
  ]
  return { pages: ids, documentsOf }
}

async function askAll(api: Api, { collection, spaceId, documentsOf, indexing }: Written, typos: boolean) {
  const { name, documents, questions, relevant } = collection
  const group = documents.some(({ thread }) => thread !== undefined) ? 'passage' : 'entity'
  const ask = (q: string, more: Record<string, string | number>) =>
    api.get<SearchPage>('/api/search', { space_id: spaceId, q, group, per_entity: 100, ...more })
  const qualities: Quality[] = []
  const times: number[] = []
  let empty = 0
  for (const [turn, { id, text }] of questions.entries()) {
    const q = typos ? withTypo(text, turn) : text
    const started = performance.now()
    const { items } = await ask(q, { limit: 10 })
    times.push(performance.now() - started)
    if (items.length === 0) empty += 1
    const first = documentsOf(items)
    const deep = [await ask(q, { limit: 50 }), await ask(q, { limit: 50, cursor: 50 })]
    const others = documentsOf(deep.flatMap((page) => page.items)).filter((each) => !first.includes(each))
    qualities.push(judge([...first, ...others], relevant.get(id)!))
  }
  const counts = { documents: documents.length, questions: questions.length, empty }
  return { name: `${name}, over HTTP`, ...counts, times, indexing, ...meanQuality(qualities) }
}
