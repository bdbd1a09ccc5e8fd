import type { FileOutcome } from '../contract/imports.ts'
import type { Queryable } from '../db/pool.ts'
import { createImportFilesRepo } from '../db/repos/import_files.ts'
import { type Kinds, kinds as ownKinds } from '../entities/kinds.ts'
import { extensionOf, folderOf } from '../vault/file-name.ts'

export type FindMissingOptions = {
  database: Queryable
  space_id: string
  source: string
  /** Every path that is in the folder now. */
  present: Iterable<string>
  /** The archive that is the whole import: what it holds cannot be told from its name. */
  root?: string | null
  kinds?: Kinds
}

/**
 * What earlier runs brought in and is no longer in the folder. `paths` is for `importFiles`; `kept` are those files
 * whose entities still live here, as outcomes to show.
 */
export async function findMissing(
  options: FindMissingOptions,
): Promise<{ paths: string[]; kept: FileOutcome[] }> {
  const { database, space_id, kinds = ownKinds } = options
  const repo = createImportFilesRepo(database)
  if (options.root) return { paths: [], kept: [] }
  const paths = [...options.present]
  const present = withFolders(paths)
  // What an archive, a mailbox or a document holds stands below its name.
  const holders = new Set(
    paths.filter(holdsFiles).map((path) => `${path.slice(0, path.length - extensionOf(path).length)}/`),
  )
  const isHeld = (path: string): boolean => path !== '' && (holders.has(path) || isHeld(folderOf(path)))
  const gone = (await repo.list(options)).filter(({ path }) => !present.has(path) && !isHeld(path))
  const files = gone.filter(({ path }) => !path.endsWith('/'))
  const titles = new Map<string, string>()

  for (const [type, ofType] of Map.groupBy(files, ({ entity_type }) => entity_type)) {
    const ids = ofType.map(({ entity_id }) => entity_id)
    for (const state of await repo.listStates(kinds.get(type), space_id, ids)) {
      if (!state.deleted) titles.set(state.id, state.title)
    }
  }

  const living = files.filter(({ entity_id }) => titles.has(entity_id))
  const kept = living.map(({ path, entity_type, entity_id }) => ({
    path,
    outcome: 'gone' as const,
    title: titles.get(entity_id) ?? null,
    entity_type,
    entity_id,
    reason: null,
    warnings: [],
  }))
  return { paths: gone.map(({ path }) => path), kept }
}

const holdsFiles = (path: string) => ['.zip', '.mbox', '.eml', '.docx'].includes(extensionOf(path))

function withFolders(paths: Iterable<string>): Set<string> {
  const all = new Set<string>()
  for (const path of paths) {
    all.add(path)
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1))
      all.add(path.slice(0, end + 1))
  }
  return all
}
