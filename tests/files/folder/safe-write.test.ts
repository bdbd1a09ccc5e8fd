// A write to a file that others write to: a crash after any operation, a save of an editor before any operation, and power
// that fails, in all combinations. What anybody wrote is in the file, beside it, or in what Void keeps.

import { describe, expect, test } from 'vitest'
import {
  carryOut,
  type Intent,
  makeOwnFolders,
  settleIntent,
  type WriteResult,
} from '../../../lib/files/folder/disk/safe-write.ts'
import { hashOf } from '../../../lib/files/vault/note-bytes.ts'
import { createSimDisk, type SimDisk } from './sim-disk.ts'

class Crash extends Error {}

const old = 'the old text'
const written = 'the text of Void'
const saved = 'what the editor saved'

const intents: Record<Intent['kind'], Intent> = {
  write: {
    id: '1',
    kind: 'write',
    path: 'a.md',
    target: null,
    old_hash: hashOf(old),
    withdraws: false,
    new_hash: hashOf(written),
  },
  move: {
    id: '1',
    kind: 'move',
    path: 'a.md',
    target: 'n/b.md',
    old_hash: null,
    withdraws: false,
    new_hash: null,
  },
  trash: {
    id: '1',
    kind: 'trash',
    path: 'a.md',
    target: null,
    old_hash: hashOf(old),
    withdraws: false,
    new_hash: null,
  },
}

const editors: Record<string, (disk: SimDisk) => void> = {
  'saves in place': (disk) => disk.edit('a.md', saved),
  'saves by rename': (disk) => disk.replace('a.md', saved),
  'makes the target': (disk) => disk.replace('n/b.md', saved),
}

async function newDisk(): Promise<SimDisk> {
  const disk = createSimDisk()
  await makeOwnFolders(disk)
  disk.replace('a.md', old)
  disk.flush()
  return disk
}

type Trial = {
  kind: Intent['kind']
  editAt: number
  crashAt: number
  edit: (disk: SimDisk) => void
  power?: number
}

/** The disk after a crash before operation `crashAt` and what follows, with a save before operation `editAt`. */
async function attempt({ kind, editAt, crashAt, edit, power }: Trial) {
  const disk = await newDisk()
  let calls = 0
  let crashed = false
  disk.before = () => {
    calls += 1
    if (calls === editAt) edit(disk)
    if (calls === crashAt) {
      crashed = true
      throw new Crash()
    }
  }
  const bytes = kind === 'write' ? Buffer.from(written) : null
  let result: WriteResult | null = null
  try {
    result = await carryOut(disk, intents[kind], bytes)
  } catch (error) {
    if (!(error instanceof Crash)) throw error
  }
  const isEdited = calls >= editAt
  if (crashed) {
    disk.before = () => {}
    if (power !== undefined) disk.cutPower(power)
    result = await settleIntent(disk, intents[kind])
    // A second one finds nothing to do.
    await settleIntent(disk, intents[kind])
  }
  return { disk, result: result!, isEdited, calls, crashed }
}

describe.each(Object.keys(intents) as Intent['kind'][])('%s', (kind) => {
  test('nobody in the way: it is done', async () => {
    const { disk, result } = await attempt({ kind, editAt: 0, crashAt: 0, edit: () => {} })

    expect(result.done).toBe(true)
    const texts = { write: { 'a.md': written }, move: { 'n/b.md': old }, trash: {} }
    expect(disk.texts()).toEqual(texts[kind])
    expect(disk.allTexts()).toContain(old)
  })

  test.each(Object.entries(editors))(
    'an editor %s, at any moment and with a crash at any moment',
    async (_name, edit) => {
      const { calls: most } = await attempt({ kind, editAt: 0, crashAt: 0, edit: () => {} })
      let tried = 0
      for (let editAt = 1; editAt <= most + 3; editAt++) {
        for (let crashAt = 0; crashAt <= most + 3; crashAt++) {
          const { disk, result, isEdited } = await attempt({ kind, editAt, crashAt, edit })
          const all = disk.allTexts()
          tried += 1
          const where = `save before ${editAt}, crash before ${crashAt}: ${JSON.stringify([disk.texts(), result])}`

          if (isEdited) expect(all, where).toContain(saved)
          // What the editor saved stands where it is seen, unless Void says that there is something to look at again.
          if (isEdited && !result.kept) expect(Object.values(disk.texts()), where).toContain(saved)
        }
      }
      expect(tried).toBeGreaterThan(20)
    },
  )

  test('a crash at any moment, with or without power: it was done or it was not', async () => {
    const { calls: most } = await attempt({ kind, editAt: 0, crashAt: 0, edit: () => {} })
    for (let crashAt = 1; crashAt <= most; crashAt++) {
      for (const power of [undefined, 0, 0.3, 0.5, 0.7, 1]) {
        const trial = { kind, editAt: 0, crashAt, edit: () => {}, ...(power !== undefined && { power }) }
        const { disk, result } = await attempt(trial)
        const after = { write: { 'a.md': written }, move: { 'n/b.md': old }, trash: {} }[kind]

        expect(disk.texts(), `crash before ${crashAt}, power ${power}`).toEqual(
          result.done ? after : { 'a.md': old },
        )
        expect(disk.allTexts()).toContain(old)
      }
    }
    expect(most).toBeGreaterThan(2)
  })
})

test('a new file never takes the place of one that is there', async () => {
  const disk = await newDisk()
  const intent = { ...intents.write, old_hash: null }

  expect(await carryOut(disk, intent, Buffer.from(written))).toEqual({ done: false, kept: false })
  expect(disk.texts()).toEqual({ 'a.md': old })
})

test('a file that is not what was read is left as it is', async () => {
  const disk = await newDisk()
  disk.edit('a.md', saved)

  expect((await carryOut(disk, intents.write, Buffer.from(written))).done).toBe(false)
  expect(disk.texts()).toEqual({ 'a.md': saved })
})

test('a program that had the old file open writes into what is kept', async () => {
  const disk = await newDisk()
  const handle = disk.openHandle('a.md')

  const result = await carryOut(disk, intents.write, Buffer.from(written))
  handle.write(saved)

  expect(result).toEqual({ done: true, kept: true })
  expect(disk.texts()).toEqual({ 'a.md': written })
  expect(disk.allTexts()).toContain(saved)
})
