// The ranking by itself, at three sizes, on the embedded database and, with BENCH_DATABASE_URL, on a Postgres server;
// beside `ts_rank_cd` over the same rows and SQLite's FTS5 in this process. 100,000 passages take minutes to index:
// BENCH_PASSAGES names other sizes. The embedded database works in this process, so what a question costs the processor
// is known there; on a machine with other work it says more than the clock.

import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { createSpace } from '../../../lib/content/writes/write-space.ts'
import { kinds } from '../../../lib/contract/entities/kinds.ts'
import type { Database } from '../../../lib/db/pool.ts'
import { createSearch, type Search } from '../../../lib/search/search.ts'
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
const promised: Record<string, number> = { 'pglite 10000': 15, 'pglite 100000': 50, 'postgres 100000': 13 }
const promisedShown: Record<string, number> = { 'postgres 100000': 20 }

/** How many times what FTS5 takes, at 100,000 passages. */
const maxRatio = 1.5

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
    const own = await costs(asked, (q) => search.query({ space_ids: [spaceId], q, limit: 10 }))
    const shown = await costs(asked, (q) =>
      search.show({ space_ids: [spaceId], q, group: 'entity', limit: 10 }, 260),
    )
    const many = await costs(asked, (q) => search.show({ space_ids: [spaceId], q, limit: 50 }, 260))
    const plain = await costs(asked, (q) => rankPlainly(database, spaceId, q))
    const fts5 = createFts5(texts)
    const sqlite = server ? null : await costs(asked, fts5)
    const beside: Figure[] = []
    for (const [kind, some] of Object.entries(makeAsked(texts))) {
      const one = await costs(some, (q) => search.query({ space_ids: [spaceId], q, limit: 10 }))
      const other = await costs(some, (q) => fts5(withoutStopWords(q)))
      const most = size === 100_000 ? maxRatio * percentile(other.clock, 0.95) : undefined
      beside.push(
        ...percentiles(`${engine}, ${size} passages, ${kind}, beside FTS5 without stop words`, one.clock, {
          ...{ baseline: other.clock, most },
        }),
      )
    }
    const name = `${engine}, ${size} passages`
    const most = promised[`${engine} ${size}`]
    return [
      ...percentiles(name, own.clock, { baseline: plain.clock, most }),
      ...percentiles(`${name}, as the route shows them`, shown.clock, {
        most: promisedShown[`${engine} ${size}`],
      }),
      ...percentiles(`${name}, fifty as the route shows them`, many.clock),
      ...(server ? [] : percentiles(`${name}, processor`, own.processor, { baseline: plain.processor })),
      ...beside,
      ...(sqlite ? percentiles(`SQLite FTS5 in process, ${size} passages`, sqlite.clock) : []),
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

/** What is typed into a search box, and what is asked of somebody. */
function makeAsked(texts: readonly Text[]): Record<'one to three words' | 'whole questions', string[]> {
  const prose = createProse(41)
  const wordsOf = (count: number) => {
    const words = texts[prose.below(texts.length)]!.body.split(' ')
    return Array.from({ length: count }, () => words[prose.below(words.length)]!)
  }
  const many = { length: warmUps + questions }
  return {
    'one to three words': Array.from(many, (_, at) => wordsOf(1 + (at % 3)).join(' ')),
    'whole questions': Array.from(many, () => {
      const [a, b, c, d] = wordsOf(4)
      return `what is the ${a} of the ${b} and how does it ${c} when there is no ${d}`
    }),
  }
}

const stopWords = new Set('what is the of and how does it when there no'.split(' '))

const withoutStopWords = (q: string): string =>
  q
    .split(' ')
    .filter((word) => !stopWords.has(word))
    .join(' ')

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
     where space_id = $1 and words_in_space(tsv, space_id) @@ query
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

type Costs = { clock: number[]; processor: number[] }

/** What each question took, in ms; those asked to warm up left out. */
async function costs(asked: readonly string[], answer: (q: string) => unknown): Promise<Costs> {
  const all: Costs = { clock: [], processor: [] }
  for (const q of asked) {
    const before = process.cpuUsage()
    all.clock.push(await timed(async () => await answer(q)))
    const { user, system } = process.cpuUsage(before)
    all.processor.push((user + system) / 1000)
  }
  return { clock: all.clock.slice(warmUps), processor: all.processor.slice(warmUps) }
}

/** The median and the 95th of 100, with what is promised of the latter. */
function percentiles(
  name: string,
  values: readonly number[],
  { baseline, most }: { baseline?: readonly number[]; most?: number | undefined } = {},
): Figure[] {
  return [0.5, 0.95].map((part) => ({
    name: `${name}, p${part * 100}`,
    unit: 'ms',
    value: percentile(values, part),
    ...(baseline ? { baseline: percentile(baseline, part) } : {}),
    ...(most && part === 0.95 ? { bound: { kind: 'at most', value: most } } : {}),
  }))
}
