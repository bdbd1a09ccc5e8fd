import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { kinds } from '../../contract/entities/kinds.ts'
import { AppError } from '../../core/errors.ts'
import { makeFolder } from '../../core/make-folder.ts'
import { migrate } from '../../db/migrate.ts'
import { createSpacesRepo } from '../../db/repos/spaces.ts'
import { exportVault, type VaultFile } from '../../files/export/export-vault.ts'
import { listEntries, openArchive, readEntry } from '../../files/vault/archive.ts'
import { checkPath, maxFileBytes } from '../../files/vault/paths.ts'
import type { Config } from '../config.ts'
import { createCallServer, type ServerOptions } from './call-server.ts'
import { onStoreOrServer, type Store } from './open-store.ts'

// Where the export command gets its Spaces: the database of the configuration, or the server that has it open.

export type ExportSource = {
  listSpaces(): Promise<{ id: string; slug: string; name: string }[]>
  files(spaceId: string, trash: boolean): AsyncIterable<VaultFile>
  close(): Promise<void>
}

/** Throws as `onStoreOrServer` does. */
export const openSource = (config: Config): Promise<ExportSource> =>
  onStoreOrServer(config, { onStore: openStoreSource, onServer: openServerSource })

async function openStoreSource({ database, close }: Store): Promise<ExportSource> {
  await migrate(database)
  const spaces = createSpacesRepo(database)

  return {
    listSpaces: () => spaces.list({ within: null, deleted: false, before_id: null, limit: 100_000 }),
    async *files(spaceId, trash) {
      const space = await spaces.find(spaceId, null)
      if (space) yield* exportVault({ database, kinds, space, trash })
    },
    close,
  }
}

const spacePage = z.object({
  items: z.array(z.object({ id: z.string(), slug: z.string(), name: z.string() })),
  next_cursor: z.string().nullable(),
})

function openServerSource(server: ServerOptions): ExportSource {
  const call = createCallServer(server)
  return {
    async listSpaces() {
      const found: z.output<typeof spacePage>['items'] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: z.output<typeof spacePage> = await call(
          'GET',
          `/api/spaces?limit=200${cursor && `&cursor=${cursor}`}`,
          spacePage,
        )
        found.push(...page.items)
        cursor = page.next_cursor
      }
      return found
    },
    files: (spaceId, trash) => download(server, `/api/spaces/${spaceId}/vault?trash=${trash}`),
    close: async () => {},
  }
}

async function* download({ url, ownerToken }: ServerOptions, path: string): AsyncGenerator<VaultFile> {
  const response = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${ownerToken}` } })
  if (!response.ok || !response.body) {
    throw new AppError(
      'server_refused',
      response.status,
      `The running Void answered with status ${response.status}.`,
    )
  }
  const folder = await mkdtemp(join(tmpdir(), 'void-export-'))
  try {
    const file = join(folder, 'vault.zip')
    await pipeline(Readable.fromWeb(response.body), createWriteStream(file, { mode: 0o600 }))
    const zip = await openArchive(file)
    for (const { path: inside, entry } of (await listEntries(zip)).entries) {
      yield { path: inside, bytes: await readEntry(zip, entry, 4 * maxFileBytes) }
    }
    zip.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Makes the folder; throws a 409 `AppError` when there is something in it: an export never mixes with what is there. */
export async function claimFolder(folder: string): Promise<void> {
  makeFolder(folder, 0o777)
  if ((await readdir(folder)).length === 0) return
  throw new AppError(
    'folder_not_empty',
    409,
    `${folder} is not empty. Choose an empty folder, or one that does not exist.`,
  )
}

/** Writes files below a folder; returns how many. */
export async function writeFolder(folder: string, files: AsyncIterable<VaultFile>): Promise<number> {
  let count = 0
  for await (const { path: given, bytes } of files) {
    const { path, problem } = checkPath(given)
    if (problem)
      throw new AppError('unsafe_path', 500, `The export contains a file that cannot be written: ${problem}.`)
    const place = join(folder, path)
    await mkdir(dirname(place), { recursive: true })
    await writeFile(place, bytes)
    count++
  }
  return count
}
