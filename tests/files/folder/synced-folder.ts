// A Space and a simulated folder under the real engine, with a clock that the test moves.

import { randomUUID } from 'node:crypto'
import { createFoldersRepo, type FolderRow } from '../../../lib/db/repos/folders.ts'
import { type FolderMemory, newMemory } from '../../../lib/files/folder/folder-deps.ts'
import { type PassResult, runPass } from '../../../lib/files/folder/run-pass.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { createSimDisk, type SimDisk } from './sim-disk.ts'

export type SyncedFolder = Awaited<ReturnType<typeof connectFolder>>

export async function connectFolder(disk: SimDisk = createSimDisk()) {
  let ms = 1_800_000_000_000
  const { owner, as, deps } = await buildApp({ now: () => new Date(ms) })
  const { body: space } = await owner.post('/api/spaces').send({ name: 'Notes' }).expect(201)
  const repo = createFoldersRepo(deps.database)
  await repo.save({ id: randomUUID(), space_id: space.id, path: `/notes/${space.id}`, review: 'off' })
  let memory: FolderMemory = newMemory()

  const folder = async (): Promise<FolderRow> => (await repo.find(space.id))!

  async function pass(): Promise<PassResult> {
    const { database, kinds, threads, content, changes, server } = deps
    return await runPass({
      database,
      kinds,
      threads,
      writer: content.writer,
      proposeChange: changes.proposeChange,
      retractChange: changes.retractChange,
      logger: server.logger,
      now: () => new Date(ms),
      clock: () => ms,
      folder: await folder(),
      disk,
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
      ms += 600
    }
  }

  return {
    disk,
    deps,
    owner,
    as,
    space_id: space.id as string,
    folder,
    pass,
    settle,
    wait(seconds: number) {
      ms += seconds * 1000
    },
    /** As a server that starts anew. */
    restart() {
      memory = newMemory()
    },
    /** Files that are gone are seen to be gone twice, a minute apart. */
    async settleDeletions() {
      await settle()
      ms += 61_000
      await settle()
    },
    async pages(): Promise<Record<string, string>> {
      const { body } = await owner.get(`/api/spaces/${space.id}/pages?limit=200`).expect(200)
      const rows: { path: string; body: string }[] = body.items
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
      const { body } = await owner.get(`/api/spaces/${space.id}/pages?limit=200`)
      const row = body.items.find((row: { path: string }) => row.path === path)
      const { body: updated } = await owner
        .patch(`/api/pages/${row.id}`)
        .send({ version: row.version, ...fields })
        .expect(200)
      return updated as { id: string; version: number; path: string }
    },
    async remove(path: string) {
      const { body } = await owner.get(`/api/spaces/${space.id}/pages?limit=200`)
      const row = body.items.find((row: { path: string }) => row.path === path)
      await owner.delete(`/api/pages/${row.id}`).expect(200)
    },
  }
}
