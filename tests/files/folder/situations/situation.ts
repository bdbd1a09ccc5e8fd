// A situation in which others have lost data, played once as it is and then with a process that ends before some operation
// of the disk or the database, its server starting anew. What it comes to has to be the same.

import { expect, test } from 'vitest'
import { createSimDisk, type SimDisk } from '../sim-disk.ts'
import { createRandom, type Random } from '../small-world.ts'
import { connectFolder, type SyncedFolder, startVoid } from '../synced-folder.ts'

export type Play = SyncedFolder & {
  random: Random
  /** Looks until nothing is left to do, also of what has to be missing for a minute, with a server that may start anew. */
  settleLong: () => Promise<void>
  drafts: () => Promise<Draft[]>
  /** Throws away nothing: each text is in a file, a page, a history, a draft or what Void keeps. */
  expectKept: (texts: Iterable<string>) => Promise<void>
  /** Both sides hold the same, but for what waits for the owner. */
  expectInStep: () => Promise<void>
  /** The number of each page by its path. */
  ids: () => Promise<Record<string, string>>
}

type Draft = {
  id: string
  action: string
  status: string
  reason: string
  payload: { body?: string; path?: string }
}

type Options = {
  disk?: () => SimDisk
  /** At most so many kills. */
  maxKills?: number
  /** What comes of it depends on the moment: only the script’s own expectations count. */
  varies?: boolean
}

/** Tests of situations, each played so many times more with a kill. `script` holds its own expectations. */
export const situationsWith =
  (kills: number) =>
  (name: string, script: (play: Play) => Promise<void>, options: Options = {}): void => {
    test(name, { timeout: 600_000 }, () => playAll(name, script, { kills, ...options }))
  }

async function playAll(
  name: string,
  script: (play: Play) => Promise<void>,
  { disk = newDisk, kills, maxKills = kills, varies = false }: Options & { kills: number },
): Promise<void> {
  const voidApp = startVoid()
  const random = createRandom([...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) >>> 0)
  const whole = await play(0)

  for (let left = Math.min(kills, maxKills); left > 0; left--) {
    const at = 1 + random.below(whole.operations)
    const killed = await play(at).catch((error: unknown) => {
      throw new Error(`killed before operation ${at} of ${whole.operations}: ${String(error)}`, {
        cause: error,
      })
    })
    if (!varies) expect(killed.end, `killed before operation ${at}`).toEqual(whole.end)
  }

  async function play(at: number) {
    const one = await connectFolder(disk(), voidApp)
    one.time.wall = 0
    one.kill.at = at
    const played = playOf(one)
    await script(played)
    return { end: await endOf(played), operations: one.kill.count }
  }
}

export const newDisk = (): SimDisk => createSimDisk(startNs)
export const newFoldingDisk = (): SimDisk => createSimDisk(startNs, { folds: true })
const startNs = 1_800_000_000_000_000_000n

function playOf(one: SyncedFolder): Play {
  const drafts = async (): Promise<Draft[]> => {
    const { body } = await one.owner.get(
      `/api/pending-changes?space_id=${one.space_id}&status=pending&limit=100`,
    )
    return body.items
  }
  return {
    ...one,
    random: createRandom(1),
    drafts,
    async settleLong() {
      for (let minutes = 0; minutes < 3; minutes++) {
        await one.settle()
        one.wait(61)
      }
      await one.settle()
    },
    async expectKept(texts) {
      const kept = await listTexts(one)
      expect([...texts].filter((text) => !kept.has(text))).toEqual([])
    },
    async expectInStep() {
      const { rows } = await one.deps.database.query<{ path: string; review_path: string | null }>(
        'select path, review_path from folder_entries where folder_id = $1 and pending_change_id is not null',
        [(await one.folder()).id],
      )
      const waiting = new Set(rows.flatMap(({ path, review_path }) => [path, review_path]))
      const held = new Set((await one.folder()).held.map(({ path }) => path))
      const followed = (texts: Record<string, string>) =>
        Object.fromEntries(
          Object.entries(texts).filter(
            ([path]) => path.endsWith('.md') && !waiting.has(path) && !held.has(path),
          ),
        )
      expect(followed(one.disk.texts())).toEqual(followed(await one.pages()))
    },
    async ids() {
      const { rows } = await one.deps.database.query<{ path: string; id: string }>(
        'select path, id from pages where space_id = $1 and deleted_at is null',
        [one.space_id],
      )
      return Object.fromEntries(rows.map(({ path, id }) => [path, id]))
    },
  }
}

async function listTexts(one: SyncedFolder): Promise<Set<string>> {
  const { rows } = await one.deps.database.query<{ text: string | null }>(
    `select after::json ->> 'body' as text from audit_log where space_id = $1
     union
     select before::json ->> 'body' from audit_log where space_id = $1
     union
     select payload::json ->> 'body' from pending_changes where space_id = $1`,
    [one.space_id],
  )
  return new Set([...one.disk.allTexts(), ...rows.flatMap(({ text }) => (text === null ? [] : [text]))])
}

/** What both sides hold, without the times in names. */
async function endOf(one: Play) {
  const plain = (texts: Record<string, string>) =>
    Object.entries(texts)
      .map(([path, text]) => [path.replace(/ \(kept [^)]*\)/, ' (kept)'), text])
      .toSorted()
  const { problem, held } = await one.folder()
  return {
    files: plain(one.disk.texts()),
    pages: plain(await one.pages()),
    drafts: (await one.drafts())
      .map(({ action, reason, payload }) => [action, reason, payload.body])
      .toSorted(),
    problem,
    held: held.map(({ path, reason }) => `${path} ${reason}`).toSorted(),
  }
}
