// A Space and a simulated folder under the real engine, with a clock that the test moves.

import { randomUUID } from 'node:crypto'
import { createFoldersRepo, type FolderRow } from '../../../lib/db/repos/folders.ts'
import type { Disk } from '../../../lib/files/folder/disk/disk.ts'
import { ownFolder } from '../../../lib/files/folder/disk/safe-write.ts'
import { type FolderMemory, newMemory, noteAnnounced } from '../../../lib/files/folder/folder-deps.ts'
import { type PassResult, runPass } from '../../../lib/files/folder/run-pass.ts'
import { type BuildOptions, buildApp } from '../../helpers/build-app.ts'
import { createSimDisk, type SimDisk } from './sim-disk.ts'

export type SyncedFolder = Awaited<ReturnType<typeof connectFolder>>

/** A Void with a clock that the test moves, which any number of folders may share. */
export async function startVoid(options: BuildOptions = {}) {
  const time = { ms: 1_800_000_000_000, wall: 0 }
  return { ...(await buildApp({ ...options, now: () => new Date(time.ms + time.wall) })), time }
}

class Crash extends Error {}

export async function connectFolder(disk: SimDisk = createSimDisk(), voidApp = startVoid()) {
  const { app, owner, as, deps, time } = await voidApp
  const { body: space } = await owner.post('/api/spaces').send({ name: 'Notes' }).expect(201)
  const repo = createFoldersRepo(deps.database)
  const connect = () =>
    repo.save({ id: randomUUID(), space_id: space.id, path: `/notes/${space.id}`, review: 'off' })
  await connect()
  let memory: FolderMemory = newMemory()
  /** The process ends before the operation of this number, of the disk or the database. */
  const kill = { at: 0, count: 0, isDead: false }

  const folder = async (): Promise<FolderRow> => (await repo.find(space.id))!

  function step(): void {
    kill.count += 1
    if (kill.count === kill.at) kill.isDead = true
    if (kill.isDead) throw new Crash(`before operation ${kill.count}`)
  }

  const stepping = <Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>) => {
    return async (...args: Args) => {
      step()
      return await run(...args)
    }
  }

  /** A look; if the process ends in it, its server starts anew. */
  async function pass(): Promise<PassResult> {
    const result = await passOnce().catch((error: unknown) => {
      if (!kill.isDead) throw error
      return null
    })
    if (result && !kill.isDead) return result
    kill.isDead = false
    memory = newMemory()
    return await pass()
  }

  async function passOnce(): Promise<PassResult> {
    const { kinds, threads, content, changes, server } = deps
    const { database } = deps
    return await runPass({
      database: Object.assign(Object.create(database), {
        query: stepping(database.query.bind(database)),
        transaction: stepping(database.transaction.bind(database)),
      }),
      kinds,
      threads,
      writer: content.writer,
      proposeChange: stepping(changes.proposeChange),
      retractChange: stepping(changes.retractChange),
      logger: server.logger,
      now: () => new Date(time.ms + time.wall),
      clock: () => time.ms,
      folder: await folder(),
      disk: { ...disk, ...mapValues(disk, stepping) },
      memory,
      held: [],
      urgent: new Set(),
      unsettledPaths: new Set(),
    })
  }

  /** Passes until nothing is left to do, as the engine makes them. */
  async function settle(): Promise<number> {
    for (let rounds = 1; ; rounds++) {
      const { applied, unsettled } = await pass()
      if (applied === 0 && !unsettled) return rounds
      if (rounds > 20) throw new Error('it does not come to an end')
      wait(0.6)
    }
  }

  async function rowAt(path: string): Promise<{ id: string; version: number }> {
    const { rows } = await deps.database.query<{ id: string; version: number }>(
      'select id, version from pages where space_id = $1 and path = $2 and deleted_at is null',
      [space.id, path],
    )
    return rows[0]!
  }

  function wait(seconds: number) {
    time.ms += seconds * 1000
    disk.tick(BigInt(Math.round(seconds * 1e9)))
  }

  return {
    disk,
    app,
    deps,
    time,
    kill,
    wait,
    owner,
    as,
    space_id: space.id as string,
    folder,
    pass,
    settle,
    /** As the owner does once it cannot go on. The marker is that of no connection. */
    async connectAnew() {
      await disk.remove(`${ownFolder}/folder.json`)
      await connect()
      memory = newMemory()
    },
    /** As the system says that a file changed. */
    announce(path: string) {
      noteAnnounced(memory, path, time.ms)
    },
    /** As a server that starts anew. */
    restart() {
      memory = newMemory()
    },
    /** Files that are gone are seen to be gone twice, a minute apart. */
    async settleDeletions() {
      await settle()
      wait(61)
      await settle()
    },
    async pages(): Promise<Record<string, string>> {
      const { rows } = await deps.database.query<{ path: string; body: string }>(
        'select path, body from pages where space_id = $1 and deleted_at is null',
        [space.id],
      )
      return Object.fromEntries(
        rows
          .filter(({ path }) => !path.endsWith('/'))
          .map(({ path, body }) => [path, body] as const)
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      )
    },
    async page(path: string) {
      const { body } = await owner.get(`/api/spaces/${space.id}/pages?limit=200`).expect(200)
      return (
        body.items as {
          id: string
          path: string
          version: number
          body: string
          title: string
          origin: string
        }[]
      ).find((row) => row.path === path)
    },
    async create(path: string, text: string) {
      const { body } = await owner
        .post(`/api/spaces/${space.id}/pages`)
        .send({ title: path, path, body: text })
      return body as { id: string; version: number }
    },
    async change(path: string, fields: Record<string, unknown>) {
      const row = await rowAt(path)
      const { body: updated } = await owner
        .patch(`/api/pages/${row.id}`)
        .send({ version: row.version, ...fields })
        .expect(200)
      return updated as { id: string; version: number; path: string }
    },
    async remove(path: string) {
      const row = await rowAt(path)
      await owner.delete(`/api/pages/${row.id}`).expect(200)
    },
  }
}

/** The methods of a disk that Void calls, each as `wrap` makes it. */
function mapValues(
  disk: Disk,
  wrap: (run: (...args: never[]) => Promise<unknown>) => unknown,
): Partial<Disk> {
  const names = ['list', 'stat', 'read', 'create', 'rename', 'link', 'remove'] as const
  const others = ['makeFolder', 'removeFolder', 'syncFolder'] as const
  return Object.fromEntries([...names, ...others].map((name) => [name, wrap(disk[name] as never)]))
}
