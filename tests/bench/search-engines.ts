// The ranking by itself, at three sizes, on the embedded database and, with BENCH_DATABASE_URL, on a Postgres server;
// beside `ts_rank_cd` over the same rows and SQLite's FTS5 in this process. 100,000 passages take minutes to index:
// BENCH_PASSAGES names other sizes.

import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { Database } from '../../lib/db/pool.ts'
import { kinds } from '../../lib/entities/kinds.ts'
import { createSearch, type Search } from '../../lib/search/search.ts'
import { createSpace } from '../../lib/spaces/write-space.ts'
import { openEvalDatabase } from '../eval/open-database.ts'
import type { Figure, Measurement } from './measurement.ts'
import { createProse } from './prose.ts'
import { percentile } from './statistics.ts'

const sizes = (process.env.BENCH_PASSAGES ?? '1000,10000,100000').split(',').map(Number)
const wordsOfPassage = 152
const warmUps = 20
const questions = 200
const perTransaction = 500

/** What is promised for an idle machine, p95 in ms. */
const promised: Record<string, number> = { 'pglite 10000': 15, 'pglite 100000': 50, 'postgres 100000': 30 }

type Text = { title: string; body: string }

export const searchEngines: Measurement = {
  name: 'search-engines',
  about: 'ten passages for a question, SQL included; the baseline is ts_rank_cd over the same rows',
  async run(log) {
    const figures: Figure[] = []
    for (const server of [undefined, process.env.BENCH_DATABASE_URL]) {
      if (server === undefined && figures.length > 0) continue
      for (const size of sizes) figures.push(...(await measure(server, size, log)))
    }
    return figures
  },
}

async function measure(
  server: string | undefined,
  size: number,
  log: (message: string) => void,
): Promise<Figure[]> {
  const { database, close } = await openEvalDatabase(server)
  try {
    const { engine } = database
    log(`${engine}: indexing ${size} passages, then ${questions} questions`)
    const texts = makeTexts(size)
    const search = createSearch({ db: database, kinds })
    const { id: spaceId } = await createSpace(database, { kind: 'owner' }, { name: 'Bench' })
    const indexing = await timed(() => fill(database, search, spaceId, texts))
    await search.maintain()
    await search.warm([spaceId])

    const asked = makeQuestions(texts)
    const own = await times(asked, (q) => search.query({ space_ids: [spaceId], q, limit: 10 }))
    const plain = await times(asked, (q) => rankPlainly(database, spaceId, q))
    const sqlite = server ? null : await times(asked, createFts5(texts))
    const name = `${engine}, ${size} passages`
    return [
      ...[0.5, 0.95].map((part): Figure => {
        const most = part === 0.95 ? promised[`${engine} ${size}`] : undefined
        return {
          name: `${name}, p${part * 100}`,
          unit: 'ms',
          value: percentile(own, part),
          baseline: percentile(plain, part),
          ...(most ? { bound: { kind: 'at most' as const, value: most } } : {}),
        }
      }),
      ...(sqlite
        ? [0.5, 0.95].map(
            (part): Figure => ({
              name: `SQLite FTS5 in process, ${size} passages, p${part * 100}`,
              unit: 'ms',
              value: percentile(sqlite, part),
            }),
          )
        : []),
      { name: `${name}, indexing one`, unit: 'ms', value: indexing / size },
    ]
  } finally {
    await close()
  }
}

function makeTexts(size: number): Text[] {
  const prose = createProse(7)
  return Array.from({ length: size }, () => ({
    title: prose.words(3).join(' '),
    body: prose.words(wordsOfPassage).join(' '),
  }))
}

/** A few words that stand in one passage, with a common word or two between, as people ask. */
function makeQuestions(texts: readonly Text[]): string[] {
  const prose = createProse(99)
  return Array.from({ length: warmUps + questions }, () => {
    const words = texts[prose.below(texts.length)]!.body.split(' ')
    const from = prose.below(words.length - 8)
    return words.slice(from, from + 4 + prose.below(5)).join(' ')
  })
}

async function fill(database: Database, search: Search, space_id: string, texts: readonly Text[]) {
  for (let from = 0; from < texts.length; from += perTransaction) {
    await database.transaction(async (tx) => {
      for (const { title, body } of texts.slice(from, from + perTransaction)) {
        const page = { space_id, entity_type: 'page', entity_id: randomUUID() }
        await search.index(tx, { ...page, title, text: body })
      }
    })
  }
}

/** What one writes first: any of the words, ranked by Postgres. */
async function rankPlainly(database: Database, spaceId: string, q: string): Promise<unknown> {
  return await database.query(
    `select entity_id, ordinal, text
     from chunks, to_tsquery('english', $2) as query
     where space_id = $1 and tsv @@ query
     order by ts_rank_cd(tsv, query) desc
     limit 10`,
    [spaceId, q.split(' ').join(' | ')],
  )
}

function createFts5(texts: readonly Text[]): (q: string) => unknown {
  const sqlite = new DatabaseSync(':memory:')
  sqlite.exec("create virtual table passages using fts5(title, body, tokenize = 'porter unicode61')")
  const insert = sqlite.prepare('insert into passages values (?, ?)')
  sqlite.exec('begin')
  for (const { title, body } of texts) insert.run(title, body)
  sqlite.exec('commit')
  const select = sqlite.prepare(
    'select rowid, title, body from passages where passages match ? order by bm25(passages, 3, 1) limit 10',
  )
  return (q) => select.all(q.split(' ').join(' OR '))
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function times(asked: readonly string[], answer: (q: string) => unknown): Promise<number[]> {
  const all: number[] = []
  for (const q of asked) all.push(await timed(async () => await answer(q)))
  return all.slice(warmUps)
}
