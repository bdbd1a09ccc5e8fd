// The engine on a simulated disk, one seed a run: both sides change while the disk fails, the process ends after any
// operation, the power fails, and an older disk is put back. Every text that Void acknowledged, or that stood in a file which
// a pass had looked at, is afterwards in a file, a page, a history, a draft or what Void keeps.

import { expect, test } from 'vitest'
import { runs } from '../../helpers/runs.ts'
import { createSimDisk } from './sim-disk.ts'
import { createRandom, type Random } from './small-world.ts'
import { connectFolder, type SyncedFolder } from './synced-folder.ts'

class Crash extends Error {}

const paths = ['a.md', 'b.md', 'n/c.md', 'n/d.md', 'e.md']
const events = 14
/** A seed takes about two seconds; FOLDER_SEEDS asks for more of them. */
const seeds = Number(process.env.FOLDER_SEEDS ?? runs(20))

type Run = SyncedFolder & {
  random: Random
  owed: Set<string>
  fresh: Map<string, string>
  next: () => string
  log: string[]
}

test.each(Array.from({ length: seeds }, (_, seed) => seed))('seed %s', async (seed) => {
  const random = createRandom(seed + 1)
  let count = 0
  const one = await connectFolder(createSimDisk())
  const next = () => `line ${random.below(3)}\n\nmiddle ${random.below(3)}\n\nend ${seed}.${count++}\n`
  const run: Run = { ...one, random, owed: new Set(), fresh: new Map(), next, log: [] }
  for (let event = 0; event < events; event++) {
    await change(run)
    if (random.next() < 0.7) await passWithFaults(run)
    one.wait(random.pick([1, 1, 20, 61]))
  }
  one.disk.before = () => {}
  one.restart()
  await one.settle()
  one.wait(61)
  await one.settle()
  one.wait(61)
  await one.settle()

  const all = new Set([...one.disk.allTexts(), ...Object.values(await one.pages()), ...(await listKept(run))])
  const lost = [...run.owed].filter((text) => !all.has(text))
  expect(lost, run.log.join('\n')).toEqual([])
  if (!(await one.folder()).paused) expect(await differences(run), run.log.join('\n')).toEqual([])
})

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
