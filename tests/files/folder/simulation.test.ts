// The engine on a simulated disk and clock, one seed a run: both sides change while the disk fails, the process ends after any
// operation, the power fails, events of changes are lost, doubled and come in any order, and an older disk or database is put
// back. Every text that Void acknowledged, or that stood in a file which a pass had looked at, is afterwards in a file, a page,
// a history, a draft or what Void keeps.

import { expect, test } from 'vitest'
import { ownFolder } from '../../../lib/files/folder/disk/safe-write.ts'
import { readStore, restoreStore } from '../../helpers/reset-store.ts'
import { runs } from '../../helpers/runs.ts'
import { createSimDisk } from './sim-disk.ts'
import { createRandom, type Random } from './small-world.ts'
import { connectFolder, type SyncedFolder } from './synced-folder.ts'

class Crash extends Error {}

const paths = ['a.md', 'b.md', 'n/c.md', 'n/d.md', 'e.md']
const changes = 14
/** As of the engine. */
const scanSeconds = 45
/** A seed takes about two seconds; FOLDER_SEEDS asks for more of them, FOLDER_SEED for others. */
const seeds = Number(process.env.FOLDER_SEEDS ?? runs(20))
const firstSeed = Number(process.env.FOLDER_SEED ?? 0)

type Run = SyncedFolder & {
  random: Random
  owed: Set<string>
  fresh: Map<string, string>
  /** When events of changes arrive, in milliseconds of the clock. */
  events: number[]
  nextScan: number
  next: () => string
  log: string[]
}

test.each(Array.from({ length: seeds }, (_, n) => firstSeed + n))('seed %s', async (seed) => {
  const random = createRandom(seed + 1)
  let count = 0
  const one = await connectFolder(createSimDisk())
  const next = () => `line ${random.below(3)}\n\nmiddle ${random.below(3)}\n\nend ${seed}.${count++}\n`
  const run: Run = {
    ...one,
    ...{ random, next, owed: new Set(), fresh: new Map(), events: [], nextScan: one.time.ms, log: [] },
  }
  const taken = random.below(8)
  const older = {
    what: random.pick(['disk', 'database', 'nothing']),
    taken,
    putBack: taken + 1 + random.below(6),
  }
  let putBack = async () => {}
  for (let event = 0; event < changes; event++) {
    if (event === older.taken) putBack = await backUp(run, older.what)
    if (event === older.putBack) await putBack()
    await change(run)
    emit(run)
    await advance(run, random.pick([1, 1, 20, 61]))
  }
  one.disk.before = () => {}
  one.restart()
  await settleAll(run)

  const all = new Set([...one.disk.allTexts(), ...Object.values(await one.pages()), ...(await listKept(run))])
  const lost = [...run.owed].filter((text) => !all.has(text))
  expect(lost, run.log.join('\n')).toEqual([])
  if (!(await one.folder()).paused) expect(await differences(run), run.log.join('\n')).toEqual([])
})

/** The event of a change is lost or doubled, and may arrive after those of later changes. */
function emit({ random, events, time }: Run): void {
  const copies = random.pick([0, 1, 1, 2])
  for (let copy = 0; copy < copies; copy++) events.push(time.ms + random.pick([600, 600, 5000, 40_000]))
}

/** Looks as the engine does: at each event that arrives, and at every scan. */
async function advance(run: Run, seconds: number): Promise<void> {
  const until = run.time.ms + seconds * 1000
  for (;;) {
    const at = Math.min(run.nextScan, ...run.events)
    if (at > until) break
    run.events.splice(0, Infinity, ...run.events.filter((event) => event > at))
    run.wait(Math.max(0, at - run.time.ms) / 1000)
    await passWithFaults(run)
    run.nextScan = run.time.ms + scanSeconds * 1000
  }
  run.wait(Math.max(0, until - run.time.ms) / 1000)
}

async function settleAll(run: Run): Promise<void> {
  for (let minutes = 0; minutes < 3; minutes++) {
    await run.settle()
    run.wait(61)
  }
}

/** How a backup of one side is put back: then both are joined, and nothing is deleted on either. */
async function backUp(run: Run, what: string): Promise<() => Promise<void>> {
  const { disk, deps, owed, log } = run
  const putDisk = disk.snapshot()
  const store = what === 'database' ? await readStore(deps.database) : null
  const owedThen = new Set(owed)
  return async () => {
    if (what === 'nothing') return
    log.push(`${what} of before put back`)
    disk.before = () => {}
    if (what === 'disk') putDisk()
    if (store) {
      await restoreStore(deps.database, store)
      // What the database alone has held since went with it.
      const there = new Set(disk.allTexts())
      for (const text of owed) if (!owedThen.has(text) && !there.has(text)) owed.delete(text)
    }
    run.restart()
    const isOther = !(await fitsMarker(run))
    const [files, pages] = [Object.keys(disk.texts()), Object.keys(await run.pages())]
    // An hour after the power failed, a marker that does not fit is no second server.
    run.wait(3601)
    await settleAll(run)
    const where = run.log.join('\n')
    const { paused, problem } = await run.folder()
    expect(paused, where).toBe(false)
    if (problem !== null) {
      // The backup is of before the folder was connected.
      expect(problem, where).toMatch(/marker .* is missing/)
      expect([Object.keys(disk.texts()), Object.keys(await run.pages())], where).toEqual([files, pages])
      await run.connectAnew()
      await settleAll(run)
    } else if (!isOther) return
    expect(Object.keys(disk.texts()), where).toEqual(expect.arrayContaining([...files, ...pages]))
    expect(Object.keys(await run.pages()), where).toEqual(expect.arrayContaining([...files, ...pages]))
  }
}

async function fitsMarker(run: Run): Promise<boolean> {
  const { generation, next_generation } = await run.folder()
  const marker = run.disk.peek(`${ownFolder}/folder.json`)
  return marker === null || [generation, next_generation].includes(JSON.parse(marker).generation)
}

async function change(run: Run): Promise<void> {
  const { random, disk, owed, fresh, next, log } = run
  const files = Object.keys(disk.texts())
  const file = random.pick(files)
  const path = random.pick(paths)
  const text = next()
  const pages = Object.keys(await run.pages())
  const page = random.pick(pages)
  const kind = random.below(9)
  log.push(`${kind} file ${file} page ${page} path ${path}: ${JSON.stringify(text)}`)
  switch (kind) {
    case 0:
    case 1:
      disk.replace(path, text)
      fresh.set(path, text)
      return
    case 2:
      if (!file) return
      disk.edit(file, text)
      fresh.set(file, text)
      return
    case 3:
      if (!file) return
      disk.erase(file)
      fresh.delete(file)
      return
    case 4: {
      if (!file || files.includes(path)) return
      disk.moveByHand(file, path)
      const moved = fresh.get(file)
      fresh.delete(file)
      if (moved !== undefined) fresh.set(path, moved)
      return
    }
    case 5:
      if (page) {
        await run.change(page, { body: text })
        owed.add(text)
      }
      return
    case 6:
      if (!pages.includes(path)) {
        await run.create(path, text)
        owed.add(text)
      }
      return
    case 7:
      if (page) await run.remove(page)
      return
    default:
      if (page && !pages.includes(path)) await run.change(page, { path })
  }
}

/** Some of the passes end in the middle: the disk fails, or the process ends, with or without the power. */
async function passWithFaults(run: Run): Promise<void> {
  const { random, disk, owed, fresh, log } = run
  const at = random.below(60)
  const fault = random.pick(['none', 'none', 'crash', 'crash', 'power', 'EIO', 'ENOSPC', 'EACCES', 'save'])
  let calls = 0
  disk.before = ({ name, path }) => {
    calls += 1
    const isWrite = ['create', 'rename', 'link', 'remove', 'makeFolder'].includes(name)
    if (calls !== at) return
    log.push(`  ${fault} at ${name} ${path}`)
    if (fault === 'crash' || fault === 'power') throw new Crash()
    if (fault === 'EIO' || fault === 'EACCES' || (fault === 'ENOSPC' && isWrite))
      throw Object.assign(new Error(fault), { code: fault })
    if (fault === 'save') {
      const file = random.pick(Object.keys(disk.texts()))
      if (!file) return
      const text = run.next()
      disk.replace(file, text)
      fresh.set(file, text)
    }
  }
  try {
    await run.pass()
    run.wait(1)
    await run.pass()
    run.wait(1)
    await run.pass()
    // What was in a file by now, and still is, was looked at.
    if ((await run.folder()).problem === null && fault !== 'save')
      for (const [path, text] of fresh) if (disk.texts()[path] === text) owed.add(text)
  } catch (error) {
    if (!(error instanceof Crash)) throw error
    disk.before = () => {}
    if (fault === 'power') disk.cutPower(random.next())
    run.restart()
  }
  disk.before = () => {}
}

/** Texts of histories and drafts. */
async function listKept({ deps, space_id }: Run): Promise<string[]> {
  const { rows } = await deps.database.query<{ text: string | null }>(
    `select after::json ->> 'body' as text from audit_log where space_id = $1
     union
     select before::json ->> 'body' from audit_log where space_id = $1
     union
     select payload::json ->> 'body' from pending_changes where space_id = $1`,
    [space_id],
  )
  return rows.flatMap(({ text }) => (text === null ? [] : [text]))
}

async function differences(run: Run): Promise<string[]> {
  const { deps, disk } = run
  const { id } = await run.folder()
  const { rows } = await deps.database.query<{ path: string }>(
    'select path from folder_entries where folder_id = $1 and waiting_file is not null',
    [id],
  )
  const waiting = new Set(rows.map(({ path }) => path))
  const [files, pages] = [disk.texts(), await run.pages()]
  return [...new Set([...Object.keys(files), ...Object.keys(pages)])].filter(
    (path) => files[path] !== pages[path] && !waiting.has(path),
  )
}
