import { fileURLToPath } from 'node:url'
import type { Database } from '../db/pool.ts'
import { createSpacesRepo } from '../db/repos/spaces.ts'
import type { Writer } from '../writes/write.ts'
import { createSpace } from '../writes/write-space.ts'
import { importFiles } from './import-files.ts'
import { listFolder, readFiles } from './read/read-folder.ts'

const guide = fileURLToPath(new URL('../../docs/guide/', import.meta.url))

const actor = { kind: 'system', name: 'welcome' } as const

/** At the first start: makes the Welcome Space out of the guide. Does nothing once there has been any Space. */
export async function welcome({
  database,
  writer,
  importFolder,
}: {
  database: Database
  writer: Writer
  importFolder: string
}): Promise<void> {
  if (await createSpacesRepo(database).any()) return

  const space = await createSpace(database, actor, {
    name: 'Welcome',
    slug: 'welcome',
    description: 'How Void works, kept in Void itself. Ask the companion about anything in it.',
  })
  await importFiles({
    database,
    writer,
    importFolder,
    space_id: space.id,
    source: 'guide',
    actor,
    files: readFiles((await listFolder(guide)).files),
  })
}
