// `npm run soak -- --minutes 60`: three servers on one Postgres for a long time, with people who ask, read and import, with
// mail that comes in (where `TEST_IMAP` names a server for it), and with servers that are killed. Prints what was lost
// (nothing may be) and how what the servers use has grown.
// `--readers` streams are open all the time; the first server is never killed, so that its memory can be followed.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createCluster, findPostgres } from '../../helpers/clusters.ts'
import { printHelp } from '../../helpers/print-help.ts'
import { startVoidProcess, type VoidProcess } from '../../helpers/void-process.ts'
import { imapUrl } from '../../outside/mail/imap-fixture.ts'
import { percentile } from '../bench/statistics.ts'
import { createTurnClient } from '../crash/crash-client.ts'
import { startCrashModel } from '../crash/crash-model.ts'
import { followNewMail } from './new-mail.ts'
import { createSamples } from './samples.ts'

printHelp(import.meta.url)

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    readers: { type: 'string', default: '200' },
    clients: { type: 'string', default: '6' },
  },
})
const minutes = Number(values.minutes)
const programs = findPostgres()
if (!programs || !(minutes > 0)) {
  console.error('Needs --minutes, and the programs of a Postgres (TEST_POSTGRES_BIN, TEST_POSTGRES_ROOT).')
  process.exit(1)
}

const killEveryMs = 30_000
const sampleEveryMs = Math.min(10_000, (minutes * 60_000) / 12)
/** How long after the end of its message a turn may take, a lease and a restart included. */
const endMs = 60_000
const notesPerImport = 20
const mailEveryMs = 3000

const folder = mkdtempSync(join(tmpdir(), 'void-soak-'))
const cluster = await createCluster(programs)
await cluster.start()
const model = await startCrashModel()
const client = createTurnClient()
const headers = { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' }
const secretsKey = randomBytes(32).toString('base64')
const stopping = new AbortController()
const { signal } = stopping
const counts = { turns: 0, lost: 0, imports: 0, notesLost: 0, mail: 0, mailLost: 0, kills: 0, streams: 0 }

/** What was tried again, and how often; most of it because a server was killed. */
const failures = new Map<string, number>()

const start = (number: number): Promise<VoidProcess> =>
  startVoidProcess({
    DATA_DIR: join(folder, `server-${number}`),
    OWNER_TOKEN: client.token,
    SECRETS_KEY: secretsKey,
    DATABASE_URL: cluster.url,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'soak',
    ROUTER_MODEL: 'none',
  })
const servers = [await start(0), await start(1), await start(2)]
/** Any of them, by turns; one that is being started again refuses, and the next one is asked. */
let asked = 0
const nextUrl = (): string => {
  asked += 1
  return servers[asked % servers.length]!.url
}
const samples = createSamples(headers)
const mailTimes: number[] = []
const newMail = imapUrl
  ? await followNewMail(nextUrl, headers, (await client.prepare(nextUrl())).spaceId)
  : null

console.log(`Three servers, ${values.readers} streams, ${minutes} minutes …`)
const work = [
  ...Array.from({ length: Number(values.clients) }, () => repeat(0, ask)),
  ...Array.from({ length: Number(values.readers) }, () => repeat(100, read)),
  repeat(5000, importNotes),
  ...(newMail ? [repeat(mailEveryMs, receiveMail)] : []),
  repeat(killEveryMs, kill),
  repeat(sampleEveryMs, sample),
]
await wait(minutes * 60_000)
stopping.abort()
await Promise.all(work)
await sample()

for (const line of samples.report()) console.log(line)
console.log(
  `${counts.turns} turns, ${counts.lost} lost; ${counts.imports} imports, ${counts.notesLost} notes lost; ` +
    (newMail
      ? `${counts.mail} messages came in, ${counts.mailLost} lost, listed after ${seconds(0.5)} s p50, ${seconds(0.95)} s p95; `
      : 'no mail, because TEST_IMAP names no server; ') +
    `${counts.kills} kills; ${counts.streams} streams opened; ${model.refusals.length} requests refused by the model.`,
)
for (const [failure, times] of [...failures].slice(0, 20))
  console.log(`Tried again ${times} times: ${failure}`)
for (const server of servers) server.kill()
await Promise.all(servers.map(({ gone }) => gone))
await model.close()
await newMail?.close()
cluster.remove()
rmSync(folder, { recursive: true, force: true })
process.exit(counts.lost + counts.notesLost + counts.mailLost + model.refusals.length > 0 ? 1 : 0)

function seconds(share: number): string {
  return (percentile(mailTimes, share) / 1000).toFixed(1)
}

/** Until the time is up. What fails because a server was killed is done again at another one. */
async function repeat(everyMs: number, run: () => Promise<void>): Promise<void> {
  await wait(Math.random() * Math.min(everyMs, 5000))
  while (!signal.aborted) {
    if (everyMs > 0) await wait(everyMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    await run().catch(async (error: unknown) => {
      failures.set(String(error), (failures.get(String(error)) ?? 0) + 1)
      await wait(200)
    })
  }
}

/** A turn, begun at one server and looked for at any. Lost: acknowledged, and not done in time. */
async function ask(): Promise<void> {
  const prepared = await client.prepare(nextUrl())
  const { turnId } = await client.begin(nextUrl(), prepared)
  if (turnId === null) return
  counts.turns += 1
  const deadline = performance.now() + endMs
  let status: string | null = null
  while (status === null && performance.now() < deadline) {
    status = await client.whenEnded(nextUrl(), turnId, deadline).catch(() => null)
    if (status === null) await wait(100)
  }
  if (status !== 'done') counts.lost += 1
}

/** A tab: its stream is read until it breaks off, and opened again elsewhere. */
async function read(): Promise<void> {
  const response = await fetch(`${nextUrl()}/api/events`, { headers, signal })
  counts.streams += 1
  if (response.body) for await (const _ of response.body) if (signal.aborted) return
}

/** An import that was answered for is there whole. */
async function importNotes(): Promise<void> {
  const { spaceId } = await client.prepare(nextUrl())
  const files = Array.from({ length: notesPerImport }, (_, n) => ({
    path: `Note ${n}.md`,
    base64: Buffer.from(`# Note ${n}\n${'The lamp turns once a minute. '.repeat(20)}`).toString('base64'),
  }))
  const answer = await fetch(`${nextUrl()}/api/spaces/${spaceId}/import`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ source: 'soak', files }),
  })
  if (answer.status < 500 && !answer.ok) throw new Error(`an import was refused: ${await answer.text()}`)
  if (!answer.ok) return
  counts.imports += 1
  const db = new pg.Client({ connectionString: cluster.url })
  await db.connect()
  const { rows } = await db.query('select count(*)::integer as count from pages where space_id = $1', [
    spaceId,
  ])
  await db.end()
  counts.notesLost += Math.max(0, notesPerImport - rows[0].count)
}

/** A message is listed, also when the server that watches the mailbox has just been killed. */
async function receiveMail(): Promise<void> {
  const ms = await newMail!.arrive(endMs)
  counts.mail += 1
  if (ms === null) counts.mailLost += 1
  else mailTimes.push(ms)
}

async function kill(): Promise<void> {
  const victim = 1 + (counts.kills % 2)
  counts.kills += 1
  servers[victim]!.kill()
  await servers[victim]!.gone
  servers[victim] = await start(victim)
}

async function sample(): Promise<void> {
  const db = new pg.Client({ connectionString: cluster.url })
  await db.connect()
  const { rows } = await db.query(
    "select count(*)::integer as count from pg_stat_activity where backend_type = 'client backend'",
  )
  await db.end()
  await samples.take(servers[0]!.url, rows[0].count)
}
