// Which paths of a Space are free, and what stands at one.

import {
  baseName,
  folderOf,
  isNotePath,
  pathKey,
  stemOf,
  withoutNoteExtension,
} from '../../core/text/paths.ts'
import type { Queryable } from '../../db/pool.ts'
import { createNamesRepo } from '../../db/repos/names.ts'

const maxTried = 200

/** The path, or the first numbered one that nothing else has. */
export async function freePath(
  tx: Queryable,
  { space_id, id, path }: { space_id: string; id: string; path: string },
): Promise<string> {
  const [folder, name] = [folderOf(path), baseName(path.replace(/\/$/, ''))]
  const end = path.endsWith('/') ? '/' : name.slice(stemOf(path).length)
  const stem = path.endsWith('/') ? name : stemOf(path)
  for (let from = 1; from <= maxTried; from += 20) {
    const tried = Array.from({ length: 20 }, (_, index) => {
      const number = from + index
      return number === 1 ? path : `${folder}${stem} (${number})${end}`
    })
    const taken = await listTaken(tx, space_id, id, tried.flatMap(alike))
    const free = tried.find((each) => !alike(each).some((path) => taken.has(pathKey(path))))
    if (free !== undefined) return free
  }
  return `${folder}${stem} ${id}${end}`
}

/** A note and a folder that is a page of its own do not share a name: the note would be that page on disk. */
const alike = (path: string): string[] =>
  path.endsWith('/')
    ? [path, `${path.slice(0, -1)}.md`]
    : isNotePath(path)
      ? [path, `${withoutNoteExtension(path)}/`]
      : [path]

export async function listTaken(tx: Queryable, space_id: string, id: string, paths: readonly string[]) {
  const placed = await createNamesRepo(tx).listPlaced(space_id, paths.map(pathKey))
  return new Set(placed.filter(({ entity_id }) => entity_id !== id).map(({ path_key }) => path_key))
}

/** The page that stands for a folder. */
export async function pageOfFolder(tx: Queryable, space_id: string, folder: string): Promise<string | null> {
  if (folder === '') return null
  const plain = folder.slice(0, -1)
  const paths = [
    folder,
    `${plain}.md`,
    `${folder}${baseName(plain)}.md`,
    `${folder}index.md`,
    `${folder}README.md`,
  ]
  const placed = await createNamesRepo(tx).listPlaced(space_id, paths.map(pathKey))
  const pages = placed.filter(({ entity_type }) => entity_type === 'page')
  const first = paths
    .map((path) => pages.find(({ path_key }) => path_key === pathKey(path)))
    .find((page) => page)
  return first?.entity_id ?? null
}
