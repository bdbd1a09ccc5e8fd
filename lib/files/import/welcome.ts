import { fileURLToPath } from 'node:url'
import type { Writer } from '../../content/writes/write.ts'
import { createFirstSpace, updateSpace } from '../../content/writes/write-space.ts'
import { actorName } from '../../core/actor.ts'
import { AppError } from '../../core/errors.ts'
import type { Database } from '../../db/pool.ts'
import { createSpacesRepo, type SpaceRow } from '../../db/repos/spaces.ts'
import type { SourceFile } from './file/format.ts'
import { importFiles } from './import-files.ts'
import { listFolder, readFiles } from './read/read-folder.ts'

const guide = fileURLToPath(new URL('../../../docs/guide/', import.meta.url))

const actor = { kind: 'system', name: 'welcome' } as const

const description = 'How Void works, kept in Void itself. Ask the companion about anything in it.'

type Parts = { database: Database; writer: Writer; importFolder: string }

/** At the first start: creates the Welcome Space from the guide. Does nothing once any Space has existed. */
export async function welcome(parts: Parts): Promise<void> {
  const space = await openWelcome(parts.database)
  if (space) await fillWelcome(parts, space)
}

/**
 * The Welcome Space that still has to be filled: created at the first start, or left by a server that crashed while
 * filling it.
 */
export async function openWelcome(database: Database): Promise<SpaceRow | null> {
  const created = await createFirstSpace(database, actor, { name: 'Welcome', slug: 'welcome' })
  return created ?? (await createSpacesRepo(database).findUndescribed(actorName(actor)))
}

/** Takes a second or two. Its description marks completion; repeating it creates missing content. */
export async function fillWelcome(
  { database, writer, importFolder }: Parts,
  { id, version }: SpaceRow,
): Promise<void> {
  await importFiles({
    database,
    writer,
    importFolder,
    space_id: id,
    source: 'guide',
    actor,
    files: guideFiles(),
  })
  await updateSpace(database, actor, { id, version, fields: { description } }).catch(leaveToOwner)
}

/** Without the dates of the files, which are of the machine that Void was put on. */
async function* guideFiles(): AsyncGenerator<SourceFile> {
  for await (const file of readFiles((await listFolder(guide)).files)) {
    if ('modified' in file) yield { ...file, modified: undefined }
    else yield file
  }
}

function leaveToOwner(error: unknown): void {
  if (!(error instanceof AppError && (error.code === 'stale_version' || error.status === 404))) throw error
}
