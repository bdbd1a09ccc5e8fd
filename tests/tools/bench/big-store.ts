// How what the owner does gets slower as the store grows, over HTTP on Postgres (BENCH_DATABASE_URL), where BENCH_SIZES
// names other sizes.

import pg from 'pg'
import { ownEvents } from './answer.ts'
import { type ChildServer, startChildServer } from './child-server.ts'
import { fillStore } from './fill-store.ts'
import { freshPostgres } from './fresh-postgres.ts'
import { spacesOfClients, takeTurns } from './load.ts'
import type { Figure, Measurement } from './measurement.ts'
import { type Prepared, prepareStore, send } from './prepare-store.ts'
import { readTurn } from './read-turn.ts'
import { makeDataFolder, makeSpaces, post, startVoid } from './spaces.ts'
import { percentile } from './statistics.ts'

const sizes = (process.env.BENCH_SIZES ?? '10000,100000,1000000').split(',').map(Number)
const warmUps = 5
const rounds = 60
/** Twice what a logarithm grows by. */
const mayGrow = (2 * Math.log(sizes.at(-1)!)) / Math.log(sizes[0]!)

type Ask = (round: number) => Promise<unknown>

export const bigStore: Measurement = {
  name: 'big-store',
  about: `what the owner does at ${sizes.join(', ')} passages and messages, a tenth as many conversations, a twentieth as many drafts; on the Postgres of BENCH_DATABASE_URL alone`,
  async run(log) {
    const server = process.env.BENCH_DATABASE_URL
    if (!server) {
      log('BENCH_DATABASE_URL is not set: left out')
      return []
    }
    const [fresh, data] = [await freshPostgres(server), makeDataFolder()]
    const model = await startChildServer(new URL('./fake-model.ts', import.meta.url))
    const open = () => startVoid(data.folder, model.url, { DATABASE_URL: fresh.url })
    try {
      const prepared = await prepareStore(await open(), log)
      const medians = new Map<string, number[]>()
      const rates: number[] = []
      const figures: Figure[] = []
      let from = 0
      for (const to of sizes) {
        log(`filling up to ${to}`)
        await fillStore(fresh.url, prepared.spaces, { from, to })
        from = to
        const running = await open()
        try {
          for (const [name, ask] of Object.entries(await whatOwnersDo(running.url, prepared))) {
            const times = await timesOf(ask)
            medians.set(name, [...(medians.get(name) ?? []), percentile(times, 0.5)])
            const value = percentile(times, 0.95)
            figures.push({ name: `${name}, at ${to.toLocaleString('en')}, p95`, unit: 'ms', value })
          }
          figures.push(...(await costsOf(fresh.url, running, prepared, to)))
          rates.push(await turnsPerSecond(running.url))
          figures.push({
            name: `turns per second, at ${to.toLocaleString('en')}`,
            unit: '1/s',
            value: rates.at(-1)!,
          })
        } finally {
          await running.stop()
        }
      }
      return [...figures, ...[...medians].map(growthOf), slowdownOf(rates)]
    } finally {
      await model.stop()
      await fresh.drop()
      data.remove()
    }
  },
}

async function whatOwnersDo(
  url: string,
  { spaces, page, questions }: Prepared,
): Promise<Record<string, Ask>> {
  const { large, small } = spaces
  const { turn } = await askTurns(url, large)
  const get = (path: string) => () => send(`${url}/api/${path}`, 'GET')
  const search = (space: string) => (round: number) =>
    get(
      `search?space_id=${space}&group=entity&q=${encodeURIComponent(questions[round % questions.length]!)}`,
    )()
  return {
    'a Space’s home': get(`spaces/${large}/overview`),
    'the top of its page tree': get(`spaces/${large}/page-tree`),
    'its pages by title': get(`spaces/${large}/pages?sort=title`),
    'how many drafts wait': get('inbox'),
    'the Inbox': get('inbox/lines'),
    'decided drafts': get('inbox/lines?tab=decided'),
    'the activity': get('activity'),
    'the activity of the small Space': get(`activity?space_id=${small}`),
    'its conversations': get(`spaces/${large}/conversations`),
    'the conversation in use': get(`spaces/${large}/companion`),
    'the history of a page': get(`pages/${page}/history`),
    'a turn': turn,
    'a search in the small Space': search(small),
    'a search in the large Space': search(large),
  }
}

async function timesOf(ask: Ask): Promise<number[]> {
  const times: number[] = []
  for (let round = -warmUps; round < rounds; round += 1) {
    const started = performance.now()
    await ask(Math.max(0, round))
    if (round >= 0) times.push(performance.now() - started)
  }
  return times
}

/** What a turn writes to the log of the database and takes of the server, and what a passage takes on disk. */
async function costsOf(
  databaseUrl: string,
  server: ChildServer,
  { spaces }: Prepared,
  size: number,
): Promise<Figure[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const read = async () => {
    const { rows } = await client.query<{ log: string; bytes: string }>(
      `select pg_current_wal_insert_lsn() - '0/0' as log, pg_total_relation_size('chunks') as bytes`,
    )
    return { log: Number(rows[0]!.log), bytes: Number(rows[0]!.bytes), cpu: (await server.read()).cpuMs }
  }
  try {
    const before = await read()
    const { turn } = await askTurns(server.url, spaces.large)
    for (let round = 0; round < rounds; round += 1) await turn()
    const after = await read()
    const at = `at ${size.toLocaleString('en')}`
    return [
      { name: `the log of a turn, ${at}`, unit: 'kB', value: (after.log - before.log) / rounds / 1000 },
      { name: `processor time of a turn, ${at}`, unit: 'ms', value: (after.cpu - before.cpu) / rounds },
      { name: `a passage on disk, ${at}`, unit: 'kB', value: after.bytes / size / 1000 },
    ]
  } finally {
    await client.end()
  }
}

/** Of 32 clients, with two tools each, in Spaces of their own; after some to warm up. */
async function turnsPerSecond(url: string): Promise<number> {
  const paths = await makeSpaces(url, spacesOfClients, 6)
  await takeTurns(paths, ownEvents, { from: 0 })
  const started = performance.now()
  const turns = await takeTurns(paths, ownEvents, { from: 10, count: 20 })
  return (turns.length / (performance.now() - started)) * 1000
}

async function askTurns(url: string, space: string) {
  const { id: conversation_id } = await post(`${url}/api/spaces/${space}/conversations`, {})
  const path = `${url}/api/spaces/${space}/companion/turn`
  return { turn: () => readTurn(path, { text: 'plain: hello', conversation_id }) }
}

/** How many times the median of the smallest size it takes at the largest. */
const growthOf = ([name, medians]: [string, number[]]): Figure => ({
  name: `${name}: growth`,
  unit: 'x',
  value: (medians.at(-1) ?? 0) / (medians[0] ?? 1),
  bound: { kind: 'at most', value: mayGrow },
})

const slowdownOf = (rates: readonly number[]): Figure => ({
  name: 'turns per second: at the largest, of the smallest',
  unit: 'x',
  value: (rates.at(-1) ?? 0) / (rates[0] ?? 1),
  bound: { kind: 'at least', value: 0.9 },
})
