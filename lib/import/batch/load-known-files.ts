import type { Queryable } from '../../db/pool.ts'
import {
  createImportFilesRepo,
  type ImportedFile,
  type ImportFilesRepo,
} from '../../db/repos/import_files.ts'
import { folderOf } from '../../vault/file-name.ts'
import { folderBeside, notesBeside } from '../../vault/folder-order.ts'
import { type FoundFiles, KnownFiles, type KnownFilesOptions } from './known-files.ts'

type FileKey = { path: string; sha256: string }

type KnownStates = Omit<FoundFiles, 'moved'>

/** What earlier imports made of these files and of the folders that they are in: a few queries for a whole batch. */
export async function loadKnownFiles(
  tx: Queryable,
  options: KnownFilesOptions,
  files: readonly FileKey[],
): Promise<KnownFiles> {
  const repo = createImportFilesRepo(tx)
  const found: KnownStates = { byPath: new Map(), states: new Map() }
  await loadAround(repo, options, found, files)
  const moved = await findMoved(
    repo,
    options,
    files.filter(({ path }) => !found.byPath.has(path)),
  )
  await loadAround(repo, options, found, [...moved.values()])
  return new KnownFiles(repo, options, { ...found, moved })
}

async function loadAround(
  repo: ImportFilesRepo,
  options: KnownFilesOptions,
  { byPath, states }: KnownStates,
  around: readonly { path: string }[],
): Promise<void> {
  const paths = new Set(around.flatMap(({ path }) => pathsAround(path)))
  const wanted = [...paths].filter((path) => !byPath.has(path))
  if (wanted.length === 0) return

  const found = await repo.listByPath(options, wanted)
  for (const file of found) byPath.set(file.path, file)
  const shared = found.filter(({ path }) => path.endsWith('/')).map(({ entity_id }) => entity_id)
  for (const file of await repo.listByEntity(options, shared)) byPath.set(file.path, file)
  for (const [type, ofType] of Map.groupBy(found, (file) => file.entity_type)) {
    const ids = [...new Set(ofType.map(({ entity_id }) => entity_id))]
    const rows = await repo.listStates(options.kinds.get(type), options.space_id, ids)
    for (const state of rows) states.set(state.id, state)
  }
}

const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

// A new file with the bytes of exactly one that is gone was moved. Empty files are all alike and never match.
async function findMoved(
  repo: ImportFilesRepo,
  options: KnownFilesOptions,
  newFiles: readonly FileKey[],
): Promise<Map<string, ImportedFile>> {
  const unknown = newFiles.filter(({ sha256 }) => sha256 !== emptySha256)
  if (options.gone.length === 0 || unknown.length === 0) return new Map()

  const hashes = [...new Set(unknown.map(({ sha256 }) => sha256))]
  const candidates = await repo.listByHash(options, options.gone, hashes)
  const pairs = candidates.flatMap((file) => {
    const same = unknown.filter(({ sha256 }) => sha256 === file.sha256)
    const isOnly = candidates.filter(({ sha256 }) => sha256 === file.sha256).length === 1
    return isOnly && same.length === 1 ? [[same[0]!.path, file] as const] : []
  })
  return new Map(pairs)
}

// The file, the folder it may describe from outside, and the folders above it with the files that may describe them.
function pathsAround(path: string): string[] {
  const paths = [path, folderBeside(path)]
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
    paths.push(folder, ...notesBeside(folder))
  }
  return paths
}
