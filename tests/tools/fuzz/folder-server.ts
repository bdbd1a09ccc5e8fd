// What `npm run fuzz -- folder` kills: keeps a folder in step and edits its pages, until it ends itself with SIGKILL inside
// the step of a write that it was told. It says on standard output what it has acknowledged, before it goes on.

import { existsSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { createTemporaryKeyring } from '../../../lib/auth/secrets/master-key.ts'
import { createLogger } from '../../../lib/core/logger.ts'
import { openOrMakeStore } from '../../../lib/db/open-store.ts'
import { openDatabase } from '../../../lib/db/pool.ts'
import { createFolderPagesRepo } from '../../../lib/db/repos/folder_pages.ts'
import type { Disk } from '../../../lib/files/folder/disk/disk.ts'
import { createNodeDisk } from '../../../lib/files/folder/disk/node-disk.ts'
import { createFolders } from '../../../lib/files/folder/folders.ts'
import { assemble } from '../../../lib/server/assemble.ts'
import { loadConfig } from '../../../lib/server/config.ts'
import { type Job, type Said, type Step, stepOf } from './folder-steps.ts'

// It is started while the one before it runs, and waits until that is dead.
const job = JSON.parse(await readAll(process.stdin)) as Job
const say = (said: Said) => writeSync(1, `${JSON.stringify(said)}\n`)

let left = job.after
function reach(step: Step): void {
  if (step !== job.step || left-- > 0) return
  say({ killed: step })
  process.kill(process.pid, 'SIGKILL')
}

let saves = 0
/** As an editor that saves between two steps of a write. */
function saveBetween(path: string): void {
  if (path.startsWith('.') || Math.random() > job.savesBetween) return
  const text = `saved between ${job.run}.${saves++}\n`
  const temp = join(job.folder, `.4913-${process.pid}`)
  writeFileSync(temp, text)
  const file = join(job.folder, path)
  const over = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  renameSync(temp, file)
  say({ saved: text, path, over })
}

function watchedDisk(path: string): Disk {
  const disk = createNodeDisk(path)
  const watched =
    (name: string, run: (...args: never[]) => Promise<unknown>) =>
    async (...args: never[]) => {
      const [from, to] = args as unknown as [string, string]
      reach(stepOf(name, from, to, 'before'))
      if (name === 'rename' && from.endsWith('.md')) saveBetween(from)
      if (name === 'link' && to.endsWith('.md')) saveBetween(to)
      const result = await run(...args)
      reach(stepOf(name, from, to, 'after'))
      if (name === 'syncFolder' && job.step === 'journal' && left-- <= 0)
        setTimeout(() => {
          say({ killed: 'journal' })
          process.kill(process.pid, 'SIGKILL')
        }, Math.random() * 4)
      return result
    }
  return Object.fromEntries(
    Object.entries(disk).map(([name, run]) => [name, watched(name, run as never)]),
  ) as unknown as Disk
}

const database = await (job.database.url ? openDatabase : openOrMakeStore)(job.database)
const config = { ...loadConfig({}, ''), dataDir: job.data, folders: [job.root] }
const logger = createLogger('silent')
const deps = assemble(config, {
  database,
  ownerToken: 'x'.repeat(40),
  keyring: createTemporaryKeyring(),
  logger,
})
const { kinds, threads, content, changes } = deps
const folders = createFolders({
  ...{ database, kinds, threads, logger, writer: content.writer, now: () => new Date() },
  ...{ proposeChange: changes.proposeChange, retractChange: changes.retractChange },
  ...{ allowed: [job.root], dataFolder: job.data, openDisk: watchedDisk },
})
// That of the one that was killed lasts for seconds.
await database.query('delete from job_leases')
if (job.connect) await folders.connect(job.space_id, { path: job.folder, take_over: true })

const owner = { kind: 'owner' } as const
const pages = createFolderPagesRepo(database, job.space_id)
const ends = Date.now() + job.ms
say({ ready: true })
for (let edit = 0; Date.now() < ends; edit++) {
  if (job.edits) await change(edit).catch(ignoreRefusal)
  await folders.sync(job.space_id)
  await new Promise((resolve) => setTimeout(resolve, 10))
}
await folders.sync(job.space_id)
say({ done: true })
process.exit(0)

/** Edits a page, and says so once it is stored; sometimes moves, deletes or makes one. */
async function change(edit: number): Promise<void> {
  const all = await pages.list()
  const page = all[Math.floor(Math.random() * all.length)]
  // The steps that only some changes lead through come about as often as the others.
  const rare = { moving: 0.2, trashing: 0.1 }[job.step as string]
  const kind = rare !== undefined && Math.random() < 0.7 ? rare + 0.01 : Math.random()
  const text = `in Void ${job.run}.${edit}\n\nof ${page?.path}\n`
  const write = changes.writeOrPropose
  const { space_id } = job
  if (!page || kind < 0.1) {
    const fields = { title: `v${job.run} ${edit}`, path: `n/v${job.run}-${edit}.md`, body: text }
    await write(owner, { action: 'create', type: 'page', space_id, fields })
    say({ stored: text })
  } else if (kind < 0.15 && all.length > 8) {
    await write(owner, { action: 'delete', type: 'page', space_id, id: page.id, version: page.version })
  } else if (kind < 0.3) {
    const fields = { path: `m/${job.run}-${edit}.md` }
    await write(owner, {
      action: 'update',
      type: 'page',
      space_id,
      id: page.id,
      version: page.version,
      fields,
    })
  } else {
    const fields = { body: text }
    await write(owner, {
      action: 'update',
      type: 'page',
      space_id,
      id: page.id,
      version: page.version,
      fields,
    })
    say({ stored: text })
  }
}

function ignoreRefusal(error: unknown): void {
  if (Reflect.get(Object(error), 'status') === undefined) throw error
}
