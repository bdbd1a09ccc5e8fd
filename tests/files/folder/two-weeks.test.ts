// Two weeks of a folder that several programs write to, each in its own manner, while pages change in Void: one seed a run,
// which is in the name of the test. Each evening both sides hold the same, and no text is lost that was saved by itself.

import { expect, test } from 'vitest'
import { runs } from '../../helpers/runs.ts'
import { createSimDisk } from './sim-disk.ts'
import { createRandom } from './small-world.ts'
import { connectFolder } from './synced-folder.ts'

const days = 14
const savesADay = 6
/** The first seed has more: 5,000 in `npm run test:slow`. */
const files = Number(process.env.FOLDER_FILES ?? runs(300))
const seeds = Number(process.env.FOLDER_SEEDS ?? runs(5))

test.each(Array.from({ length: seeds }, (_, seed) => seed))('seed %s', { timeout: 600_000 }, async (seed) => {
  const random = createRandom(seed + 100)
  const one = await connectFolder(createSimDisk(1_800_000_000_000_000_000n))
  const { disk } = one
  const paths = Array.from({ length: seed === 0 ? files : 60 }, (_, index) => `${index % 10}/${index}.md`)
  /** Texts that Void acknowledged, or that stood in a file when it had looked at all of them. */
  const owed = new Set<string>()
  let count = 0
  const next = (by: string) => {
    const text = `${by} ${seed}.${count++}\n\nmiddle\n\nend\n`
    return text
  }
  /** Some looks come in the middle of a save. */
  const look = async () => {
    if (random.next() < 0.5) await one.pass()
  }
  const programs: Record<string, (path: string) => Promise<void>> = {
    async Obsidian(path) {
      disk.edit(path, next('Obsidian'))
    },
    async vim(path) {
      disk.replace(`${path.slice(0, path.lastIndexOf('/'))}/4913`, '')
      disk.moveByHand(path, `${path}~`)
      await look()
      disk.replace(path, next('vim'))
      await look()
      disk.erase(`${path}~`)
      disk.erase(`${path.slice(0, path.lastIndexOf('/'))}/4913`)
    },
    async 'VS Code'(path) {
      disk.edit(path, '')
      await look()
      disk.edit(path, next('VS Code'))
    },
    async Syncthing(path) {
      const temp = path.replace(/[^/]+$/, (name) => `.syncthing.${name}.tmp`)
      disk.replace(temp, 'half of it')
      await look()
      disk.edit(temp, next('Syncthing'))
      disk.erase(path)
      disk.moveByHand(temp, path)
    },
    async Dropbox(path) {
      disk.erase(path)
      await look()
      disk.replace(path, next('Dropbox'))
    },
    async git() {
      const texts = disk.texts()
      for (const path of paths) disk.erase(path)
      await look()
      for (const path of paths) disk.replace(path, `branch ${seed}.${count} ${path}\n`)
      await look()
      // And back, with what was there.
      for (const path of paths) disk.erase(path)
      for (const path of paths) disk.replace(path, texts[path]!)
    },
    async Void(path) {
      const text = next('Void')
      await one.change(path, { body: text })
      owed.add(text)
    },
  }

  for (const path of paths) disk.replace(path, next('first'))
  await one.settle()
  const ids = await idsOf()
  for (let day = 0; day < days; day++) {
    for (let save = 0; save < savesADay; save++) {
      const name = random.pick(Object.keys(programs))
      const path = random.pick(paths.slice(0, 20))
      await programs[name]!(path)
      if (name === 'Void' || random.next() < 0.8) await one.settle()
      one.wait(random.pick([1, 30, 3600]))
    }
    await one.settle()
    one.wait(8 * 3600)
    await one.settle()

    const where = `day ${day} of seed ${seed}`
    expect(await one.folder(), where).toMatchObject({ paused: false, problem: null, held: [] })
    expect(await one.pages(), where).toEqual(disk.texts())
    for (const text of Object.values(disk.texts())) owed.add(text)
    expect(await idsOf(), where).toEqual(ids)
  }
  const all = new Set([...disk.allTexts(), ...Object.values(await one.pages()), ...(await history())])
  expect(owed.size).toBeGreaterThan(paths.length)
  expect([...owed].filter((text) => !all.has(text))).toEqual([])

  async function idsOf() {
    const { rows } = await one.deps.database.query<{ path: string; id: string }>(
      `select path, id from pages where space_id = $1 and deleted_at is null and path like '%.md' order by path`,
      [one.space_id],
    )
    return rows
  }

  async function history(): Promise<string[]> {
    const { rows } = await one.deps.database.query<{ text: string }>(
      `select after::json ->> 'body' as text from audit_log where space_id = $1`,
      [one.space_id],
    )
    return rows.map(({ text }) => text)
  }
})
