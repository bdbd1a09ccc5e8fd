import { z } from 'zod'
import { type ChildServer, startChildServer } from './child-server.ts'
import { freshPostgres } from './fresh-postgres.ts'
import type { Figure, Measurement } from './measurement.ts'
import { asOwner, makeDataFolder, makeSpaces, ownerToken } from './spaces.ts'
import { percentile } from './statistics.ts'

const stops = 60
const warmUps = 5

/** From the wish to stop a turn, sent by another tab, to the end of the turn at the tab that reads it. */
export const stop: Measurement = {
  name: 'stop',
  about:
    'a turn is stopped from another tab; with TEST_DATABASE_URL also from another server on the same Postgres',
  async run(log) {
    const model = await startChildServer(new URL('./fake-model.ts', import.meta.url))
    try {
      const figures = await onPglite(model.url)
      const url = process.env.TEST_DATABASE_URL
      if (!url) log('without TEST_DATABASE_URL there is no other server')
      return url ? [...figures, ...(await onPostgres(url, model.url))] : figures
    } finally {
      await model.stop()
    }
  },
}

async function onPglite(modelUrl: string): Promise<Figure[]> {
  const data = makeDataFolder()
  const server = await start({ DATA_DIR: data.folder, ANTHROPIC_BASE_URL: modelUrl })
  try {
    return await measure('from another tab', server, server)
  } finally {
    await server.stop()
    data.remove()
  }
}

async function onPostgres(url: string, modelUrl: string): Promise<Figure[]> {
  const folders = [makeDataFolder(), makeDataFolder()]
  const { url: fresh, drop } = await freshPostgres(url)
  const servers: ChildServer[] = []
  try {
    for (const { folder } of folders) {
      servers.push(await start({ DATA_DIR: folder, ANTHROPIC_BASE_URL: modelUrl, DATABASE_URL: fresh }))
    }
    const [one, two] = servers
    if (!one || !two) throw new Error('the servers did not start')
    return [
      ...(await measure('Postgres, from another tab', one, one)),
      ...(await measure('Postgres, from another server', one, two)),
    ]
  } finally {
    for (const server of servers) await server.stop()
    await drop()
    for (const { remove } of folders) remove()
  }
}

const start = (env: Record<string, string>) =>
  startChildServer(new URL('../../../server.js', import.meta.url), {
    PORT: '0',
    OWNER_TOKEN: ownerToken,
    TURNS_PER_MINUTE: '0',
    ANTHROPIC_API_KEY: 'bench',
    ROUTER_MODEL: 'none',
    ...env,
  })

async function measure(name: string, runs: ChildServer, stopsAt: ChildServer): Promise<Figure[]> {
  const [path] = await makeSpaces(runs.url, 1, 1)
  if (!path) throw new Error('there is no Space')
  const times: number[] = []
  for (let n = 0; n < warmUps + stops; n += 1) {
    const time = await timeStop(path, stopsAt.url)
    if (n >= warmUps) times.push(time)
  }
  return [
    { name: `${name}, p50`, unit: 'ms', value: percentile(times, 0.5) },
    {
      name: `${name}, p95`,
      unit: 'ms',
      value: percentile(times, 0.95),
      bound: { kind: 'at most', value: 500 },
    },
  ]
}

async function timeStop(path: string, stopsAt: string): Promise<number> {
  const body = JSON.stringify({ text: 'slow 3000 please' })
  const response = await fetch(path, { method: 'POST', headers: asOwner, body })
  let heard = ''
  let began = 0
  let stopping: Promise<Response> | undefined
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    heard += piece
    if (stopping || !heard.includes('event: delta')) continue
    const turnId = z.string().parse(/"turn_id":"([^"]+)"/.exec(heard)?.[1])
    began = performance.now()
    stopping = fetch(`${stopsAt}/api/turns/${turnId}/stop`, { method: 'POST', headers: asOwner })
  }
  const elapsed = performance.now() - began
  await (await stopping)?.text()
  if (!heard.includes('"stop_reason":"aborted"'))
    throw new Error(`a turn was not stopped: ${heard.slice(-300)}`)
  return elapsed
}
