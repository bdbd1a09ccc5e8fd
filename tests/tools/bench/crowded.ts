import { request } from 'node:http'
import { startChildServer } from './child-server.ts'
import { freshPostgres } from './fresh-postgres.ts'
import type { Figure, Measurement } from './measurement.ts'
import { readTurn } from './read-turn.ts'
import { asOwner, makeDataFolder, makeSpaces, post, startVoid } from './spaces.ts'
import { percentile } from './statistics.ts'

const slowTurns = 250
const unfinishedTurns = 1000
/** Who asks meanwhile, each for one short answer after the other, in a Space of their own. */
const clients = 16
const askMs = 15_000
/** Ten deltas a second, for longer than the measurement takes. */
const slow = 'slow 3000 every 100 please'

/** New messages while a server has far more to do than answer them. */
export const crowded: Measurement = {
  name: 'crowded',
  about: `${clients} clients with short turns while ${slowTurns} slow ones run, and after a crash with ${unfinishedTurns} unfinished; with TEST_DATABASE_URL also on Postgres`,
  async run(log) {
    const model = await startChildServer(new URL('./fake-model.ts', import.meta.url))
    try {
      const embedded = await measure(log, model.url, '', {})
      const url = process.env.TEST_DATABASE_URL
      if (!url) return embedded
      const fresh = await freshPostgres(url)
      try {
        return [...embedded, ...(await measure(log, model.url, 'Postgres, ', { DATABASE_URL: fresh.url }))]
      } finally {
        await fresh.drop()
      }
    } finally {
      await model.stop()
    }
  },
}

type Log = (message: string) => void

async function measure(log: Log, modelUrl: string, engine: string, settings: Record<string, string>) {
  const data = makeDataFolder()
  // All that is left unfinished was running, however few a server of this machine lets run.
  const roomy = { ...settings, TURNS_AT_ONCE: String(unfinishedTurns + clients) }
  let server = await startVoid(data.folder, modelUrl, roomy)
  try {
    const paths = await makeSpaces(server.url, slowTurns + clients, 1)
    const busy = paths.slice(0, slowTurns)
    const quiet = () => paths.slice(slowTurns).map((path) => `${server.url}${new URL(path).pathname}`)
    for (const path of quiet()) await readTurn(path, 'plain: hello')

    log(`${engine}${slowTurns} slow turns begin`)
    await Promise.all(busy.map((path) => begin(path, { text: slow })))
    const beside = await askFor(askMs, quiet())

    log(`${engine}further slow turns begin, to ${unfinishedTurns}, and the server is killed`)
    for (let round = 1; round < unfinishedTurns / slowTurns; round += 1) {
      await Promise.all(
        busy.map(async (path) => {
          const { id } = await post(path.replace(/companion\/turn$/, 'conversations'), {})
          await begin(path, { text: slow, conversation_id: id })
        }),
      )
    }
    await server.kill()
    server = await startVoid(data.folder, modelUrl, settings)
    const { startMs } = server
    const after = await askFor(askMs, quiet())
    return [
      ...figuresOf(`${engine}beside ${slowTurns} slow turns`, beside),
      {
        name: `${engine}start with ${unfinishedTurns} unfinished turns`,
        unit: 'ms' as const,
        value: startMs,
      },
      ...figuresOf(`${engine}after it`, after),
    ]
  } finally {
    await server.kill()
    data.remove()
  }
}

type Asked = { rate: number; firstTexts: number[] }

async function askFor(ms: number, paths: readonly string[]): Promise<Asked> {
  const started = performance.now()
  const firstTexts: number[] = []
  const client = async (path: string) => {
    while (performance.now() - started < ms) firstTexts.push((await readTurn(path, 'plain: hello')).firstText)
  }
  await Promise.all(paths.map(client))
  return { rate: (firstTexts.length / (performance.now() - started)) * 1000, firstTexts }
}

function figuresOf(when: string, { rate, firstTexts }: Asked): Figure[] {
  const first = (part: number) => percentile(firstTexts, part)
  return [
    {
      name: `${when}: short turns per second`,
      unit: '1/s',
      value: rate,
      bound: { kind: 'at least', value: 60 },
    },
    { name: `${when}: first text, p50`, unit: 'ms', value: first(0.5) },
    {
      name: `${when}: first text, p95`,
      unit: 'ms',
      value: first(0.95),
      bound: { kind: 'at most', value: 1000 },
    },
    { name: `${when}: first text, longest`, unit: 'ms', value: first(1) },
  ]
}

/** Resolves with the first event. Whoever asked goes on reading until the server is gone. */
function begin(path: string, said: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(path, { method: 'POST', agent: false, headers: asOwner }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} answered ${response.statusCode}`))
      response.on('data', () => resolve()).on('error', () => {})
    })
    outgoing.on('error', reject)
    outgoing.end(JSON.stringify(said))
  })
}
