// Four writers on two servers over one database create, edit, rename, move, delete and restore pages that link to each
// other. A link's label is the id of the page that it is meant for, so afterwards every link says where it has to lead.

import { setTimeout as wait } from 'node:timers/promises'
import { createTemporaryKeyring } from '../../../lib/auth/secrets/master-key.ts'
import { createLogger } from '../../../lib/core/logger.ts'
import type { Database } from '../../../lib/db/pool.ts'
import { verifyAudit } from '../../../lib/ops/audit/verify.ts'
import { createApp } from '../../../lib/server/app.ts'
import { assemble } from '../../../lib/server/assemble.ts'
import { loadConfig } from '../../../lib/server/config.ts'
import { listenOnce } from './listen-once.ts'
import { type Random, randomOf } from './random.ts'
import { createSend, type Send } from './send-json.ts'

export type WritersReport = {
  writes: number
  /** Refusals by their code. */
  refused: Record<string, number>
  wrongLinks: number
  chunksWithoutPage: number
  pagesWithoutChunk: number
  isChainSound: boolean
  /** Answers that no order of the writes explains. */
  problems: string[]
}

type WritersOptions = {
  /** Of one database: on Postgres two pools, on PGlite its one connection twice. */
  databases: readonly [Database, Database]
  folder: string
  seed: number
  /** Until then; or as many writes as `count`. */
  ms: number
  count: number
}

const writers = 4
const maxPages = 40
const settleMs = 60_000

export async function fuzzWriters(options: WritersOptions): Promise<WritersReport> {
  const servers = await Promise.all(
    options.databases.map((database) => startServer(database, options.folder)),
  )
  const [first] = servers
  try {
    const { id: spaceId } = (await first!.send('POST', '/api/spaces', { name: 'Fuzz' })).body
    const state: State = {
      spaceId: String(spaceId),
      pages: [],
      renames: 0,
      writes: 0,
      refused: {},
      problems: [],
    }
    const until = performance.now() + options.ms
    const isOver = () => performance.now() > until || state.writes >= options.count
    await Promise.all(
      Array.from({ length: writers }, async (_, index) => {
        const { send } = servers[index % servers.length]!
        for (let n = 0; !isOver(); n++) await write(send, randomOf(options.seed + index, n), state)
      }),
    )
    return await check(options.databases[0], state)
  } finally {
    for (const server of servers) await server.stop()
  }
}

async function startServer(database: Database, folder: string) {
  const ownerToken = 'owner_of-the-fuzzer-0123456789-abcdef'
  const config = { ...loadConfig({}, ''), dataDir: folder, turnsPerMinute: null }
  const deps = assemble(config, {
    database,
    ownerToken,
    keyring: createTemporaryKeyring(),
    logger: createLogger('silent'),
  })
  const { url, close } = await listenOnce(createApp(deps, config))
  const stopIndexer = deps.indexing.indexer.start()
  return {
    send: createSend(() => url, ownerToken),
    async stop() {
      await stopIndexer()
      await close()
      await deps.threads.close()
    },
  }
}

type State = {
  spaceId: string
  pages: string[]
  renames: number
  writes: number
  refused: Record<string, number>
  problems: string[]
}

type Page = { id: string; title: string; body: string; version: number }

async function write(send: Send, random: Random, state: State): Promise<void> {
  const load = async (id: string) =>
    (await send('GET', `/api/pages/${id}`)).body as Page & { deleted_at?: string }
  const freshTitle = () => `Page ${++state.renames} of ${random.below(1e6)}`
  const link = async () => {
    const { id, title } = await load(random.pick(state.pages))
    return id ? `See [[${title}|${id}]].\n` : ''
  }
  const links = async () => {
    const lines: string[] = []
    for (let n = random.below(4); n > 0 && state.pages.length > 0; n--) lines.push(await link())
    return lines.join('\n')
  }
  const operation = state.pages.length < 8 ? 'create' : random.pick(operations)
  state.writes += 1
  if (operation === 'create' && state.pages.length < maxPages) {
    const fields = { title: freshTitle(), body: `Words of ${random.below(1e6)}.\n\n${await links()}` }
    const { status, body } = await send('POST', `/api/spaces/${state.spaceId}/pages`, fields)
    if (status === 201) state.pages.push(String(body.id))
    return note(state, operation, status, body)
  }
  const id = random.pick(state.pages)
  if (operation === 'restore') {
    const { status, body } = await send('POST', `/api/pages/${id}/restore`, {})
    return note(state, operation, status, body)
  }
  const page = await load(id)
  if (page.deleted_at || page.version === undefined) return
  const { version } = page
  if (operation === 'delete') {
    const { status, body } = await send('DELETE', `/api/pages/${id}`, { version })
    return note(state, operation, status, body)
  }
  const change =
    operation === 'rename'
      ? { title: freshTitle() }
      : operation === 'move'
        ? { parent_id: random.chance(0.3) ? null : random.pick(state.pages) }
        : { body: `${random.chance(0.5) ? page.body : ''}More of ${random.below(1e6)}.\n\n${await links()}` }
  const { status, body } = await send('PATCH', `/api/pages/${id}`, { version, ...change })
  note(state, operation, status, body)
}

const operations = [
  'create',
  'edit',
  'edit',
  'rename',
  'rename',
  'move',
  'delete',
  'restore',
  'restore',
] as const

function note(state: State, operation: string, status: number, body: Record<string, unknown>): void {
  if (status < 300) return
  const { code = '' } = (body.error ?? {}) as { code?: string }
  state.refused[code] = (state.refused[code] ?? 0) + 1
  if (![400, 404, 409].includes(status)) {
    state.problems.push(`${operation}: ${status} ${JSON.stringify(body).slice(0, 300)}`)
  }
}

/**
 * Links of a page that is there that lead elsewhere than to the page of their label, or to something where that is in the
 * trash. One to nothing is right if its text was written, or came back from the trash, after the page had that name.
 */
const wrongLinks = `from links
  join pages source on source.id = from_id and source.deleted_at is null
  left join pages target on target.id::text = label and target.deleted_at is null
  where to_id is distinct from target.id
    and not (to_id is null and exists (
      select from audit_log renamed
      join audit_log later on later.entity_id = source.id and later.seq > renamed.seq
      where renamed.entity_id = target.id and lower(renamed.before::jsonb ->> 'title') = name
        and (later.action = 'restore' or strpos(lower(later.after::jsonb ->> 'body'), name) > 0)
    ))`

/** A few of them, with the names that their page answers to. */
async function listWrongLinks(database: Database): Promise<string[]> {
  const { rows } = await database.query(
    `select name, label, to_id, target.title,
       (select json_agg(json_build_array(entity_names.name, entity_names.source, hidden))
        from entity_names
        where entity_id::text = label) as names
     ${wrongLinks}
     limit 5`,
  )
  return rows.map((row) => `wrong link: ${JSON.stringify(row)}`)
}

async function check(database: Database, state: State): Promise<WritersReport> {
  const count = async (text: string) => {
    const { rows } = await database.query<{ count: number }>(`select count(*)::integer as count ${text}`)
    return rows[0]!.count
  }
  const withoutChunk = `from pages
    where deleted_at is null
      and not exists (
        select from chunks where entity_id = pages.id and ordinal = 0 and analysis <> 'deferred'
      )`
  const settled = performance.now() + settleMs
  while ((await count(withoutChunk)) > 0 && performance.now() < settled) await wait(200)
  return {
    writes: state.writes,
    refused: state.refused,
    wrongLinks: await count(wrongLinks),
    chunksWithoutPage: await count(
      `from chunks
       where entity_type = 'page'
         and not exists (select from pages where pages.id = entity_id and deleted_at is null)`,
    ),
    pagesWithoutChunk: await count(withoutChunk),
    isChainSound: (await verifyAudit(database)).sound,
    problems: [...state.problems, ...(await listWrongLinks(database))],
  }
}
