// A folder of this machine beside a Space that it may be connected to.

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { buildApp } from '../../helpers/build-app.ts'

/** Not connected yet. `running`: with the loop that keeps it in step. */
export async function makeRealFolder({ running = true } = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'void-folders-')))
  const path = join(root, 'notes')
  mkdirSync(path)
  const { owner, as, deps } = await buildApp({ folders: [root] })
  const { body: space } = await owner.post('/api/spaces').send({ name: 'Notes' }).expect(201)
  const stop = running ? deps.content.folders.start() : async () => {}
  onTestFinished(async () => {
    await stop()
    rmSync(root, { recursive: true, force: true })
  })
  const at = `/api/spaces/${space.id}`
  const pages = async (): Promise<Record<string, string>> => {
    const { body } = await owner.get(`${at}/pages?limit=200`).expect(200)
    return Object.fromEntries(body.items.map(({ path, body }: Record<string, string>) => [path, body]))
  }
  const sync = () => deps.content.folders.sync(space.id)
  const synced = async () => {
    await sync()
    return await pages()
  }
  return { root, path, owner, as, deps, space, at, pages, sync, synced }
}
