// `npm run fuzz -- folder --kills 500 --engine postgres`: a server that keeps a folder in step is killed with SIGKILL, in turn
// inside each step of a write, while an editor saves and pages are edited in Void. After each kill, every text that was
// acknowledged in Void, or that stood in its file for a second and was not saved over by the editor itself, has to be in a file, in
// a page or its history, in a draft, or in what Void keeps. Prints the kills of each step; the exit code is 1 if a text is lost.

import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { v7 as uuid } from 'uuid'
import { migrate } from '../../../lib/db/migrate.ts'
import { openOrMakeStore } from '../../../lib/db/open-store.ts'
import { type Database, openDatabase } from '../../../lib/db/pool.ts'
import { freshPostgres } from '../bench/fresh-postgres.ts'
import { type Job, type Said, type Step, steps } from './folder-steps.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string', default: '100' },
    engine: { type: 'string', default: 'pglite' },
  },
})
const quietMs = 1000
const compiled = process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'void-compiled')
const kills = Number(values.kills)
const testUrl = process.env.TEST_DATABASE_URL
if (values.engine === 'postgres' && !testUrl) throw new Error('TEST_DATABASE_URL names no Postgres server')
const fresh = values.engine === 'postgres' ? await freshPostgres(testUrl!) : null
const root = realpathSync(mkdtempSync(join(tmpdir(), 'void-folder-kills-')))
const folder = join(root, 'notes')
const data = join(root, 'data')
for (const made of [folder, join(folder, 'n'), data]) mkdirSync(made)
const options = fresh ? { url: fresh.url } : { folder: join(data, 'store') }

const space_id = uuid()
await withDatabase(async (database) => {
  await migrate(database)
  await database.query(
    `insert into spaces (id, slug, name, created_by, updated_by) values ($1, 'kills', 'Kills', 'owner', 'owner')`,
    [space_id],
  )
})

const owed = new Map<string, string>()
/** Texts of files, with the time since when they stand there. */
const standing = new Map<string, { text: string; since: number }>()
const counts = Object.fromEntries(steps.map((step) => [step, 0]))
const lost: string[] = []
const waiting: ReturnType<typeof startServer>[] = []
/** Texts of histories and drafts, from which nothing goes. */
const safe = new Set<string>()
let [saves, missed] = [0, 0]
/** Owed texts that were found. */
const found = new Set<string>()

for (
  let run = 0;
  Object.values(counts).reduce((sum, count) => sum + count, 0) < kills && run < kills * 3;
  run++
) {
  const step = steps.toSorted((a, b) => counts[a]! - counts[b]!)[0]!
  const killed = await work({ step, after: Math.floor(Math.random() * 3), ms: 6000, run })
  if (killed) counts[killed] = (counts[killed] ?? 0) + 1
  else missed += 1
  await verify(`run ${run}, killed in ${killed}`)
  if (run % 20 === 0) {
    const seconds = Math.round(performance.now() / 1000)
    console.log(JSON.stringify({ run, seconds, counts, found: found.size, lost: lost.length }))
  }
}
await wait(quietMs)
await work({ step: null, after: 0, ms: 4000, run: -1, edits: false })
await verify('the end')
console.log(JSON.stringify({ kills: counts, without: missed, saves, found: found.size, lost }, null, 1))
for (const child of waiting) child.kill()
await fresh?.drop()
rmSync(root, { recursive: true, force: true })
if (lost.length > 0 || Object.values(counts).some((count) => kills >= 500 && count < 20)) process.exitCode = 1

function startServer() {
  const program = new URL('folder-server.ts', import.meta.url).pathname
  // What one has compiled the next one loads: most of a kill is the start of its successor.
  const env = { ...process.env, NODE_COMPILE_CACHE: compiled }
  return spawn(process.execPath, [program], { env, stdio: ['pipe', 'pipe', 'inherit'] })
}

/** Runs a server until it is killed; null: it ended by itself. */
async function work(part: Pick<Job, 'step' | 'after' | 'ms' | 'run'> & { edits?: boolean }): Promise<Step> {
  const job: Job = {
    ...{ root, folder, data, database: options, space_id, connect: part.run === 0 },
    ...{ edits: true, savesBetween: 0.2, ...part },
  }
  const child = waiting.shift() ?? startServer()
  child.stdin.end(JSON.stringify(job))
  while (waiting.length < 3) waiting.push(startServer())
  let [rest, killed, isReady] = ['', null as Step, false]
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) hear(JSON.parse(line) as Said)
  })
  const gone = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const ended = gone.then(() => true)
  while (!(await Promise.race([ended, wait(40 + Math.random() * 200).then(() => false)])))
    if (isReady && part.run >= 0) save(part.run)
  return killed

  function hear(said: Said): void {
    if (said.ready) isReady = true
    if (said.killed) killed = said.killed
    if (said.stored !== undefined) owed.set(said.stored, `stored in run ${part.run}`)
    if (said.over !== undefined) forgive(said.over)
    if (said.saved !== undefined) standing.set(said.path!, { text: said.saved, since: Date.now() })
  }
}

/** As an editor: by renaming, or in place, into a file whose last save is owed by now. */
function save(run: number): void {
  note()
  const names = ['a.md', 'b.md', 'c.md', 'n/d.md', 'n/e.md', ...listNotes().slice(0, 20)]
  const path = names[Math.floor(Math.random() * names.length)]!
  const last = standing.get(path)
  if (last && Date.now() - last.since < quietMs + 200) return
  const text = `saved ${run}.${saves++}\n\nin ${path}\n`
  try {
    // What an editor saves over is its own affair.
    if (existsSync(join(folder, path))) forgive(readFileSync(join(folder, path), 'utf8'))
    if (Math.random() < 0.5) {
      const temp = join(root, 'save')
      writeFileSync(temp, text)
      renameSync(temp, join(folder, path))
    } else writeFileSync(join(folder, path), text)
    standing.set(path, { text, since: Date.now() })
  } catch {
    // Its folder is gone.
  }
}

/** The editor saved over it, wherever Void had moved it by then. */
function forgive(over: string): void {
  owed.delete(over)
  for (const [path, { text }] of standing) if (text === over) standing.delete(path)
}

/** What has been in its file for long enough is owed. */
function note(): void {
  for (const [path, { text, since }] of standing) {
    if (Date.now() - since < quietMs) continue
    owed.set(text, `saved in ${path}`)
    standing.delete(path)
  }
}

function listNotes(): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.md') && !path.startsWith('.'),
  )
}

async function verify(when: string): Promise<void> {
  note()
  const texts = new Set(safe)
  await withDatabase(async (database) => {
    const { rows } = await database.query<{ text: string | null }>(
      `select after::json ->> 'body' as text from audit_log
       union select before::json ->> 'body' from audit_log
       union select payload::json ->> 'body' from pending_changes`,
    )
    for (const { text } of rows) if (text !== null && text.length > 0) safe.add(text)
  })
  for (const text of safe) texts.add(text)
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    try {
      texts.add(readFileSync(join(folder, path), 'utf8'))
    } catch {
      // A folder.
    }
  }
  for (const [text, why] of owed) {
    if (texts.has(text)) found.add(text)
    if (safe.has(text)) owed.delete(text)
    else if (!texts.has(text)) {
      lost.push(`${when}: ${JSON.stringify(text)} ${why}`)
      console.log('LOST', lost.at(-1))
      owed.delete(text)
    }
  }
}

async function withDatabase(run: (database: Database) => Promise<void>): Promise<void> {
  const database = fresh ? await openDatabase(options) : await openOrMakeStore(options)
  try {
    await run(database)
  } finally {
    await database.close()
  }
}
