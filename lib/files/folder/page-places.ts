// Room for a page at the path of its file: whatever page is there gives way.

import { freePath } from '../../content/writes/free-path.ts'
import type { EntityRow } from '../../contract/entities/kind.ts'
import { folderBelow, pathKey } from '../../core/text/paths.ts'
import type { Tx } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createNamesRepo } from '../../db/repos/names.ts'
import { titleIn } from '../import/file/note-fields.ts'
import { asTitle } from '../vault/paths.ts'
import { folderActor, type Pass } from './folder-deps.ts'

const context = { actor: folderActor }

/** The page that stands for the folder that a note at this path describes, if it has no text: the note is its text. */
export async function makeRoom(
  tx: Tx,
  pass: Pass,
  path: string,
  id: string | null,
): Promise<EntityRow | null> {
  const { space_id } = pass.folder
  const kind = pass.kinds.get('page')
  const names = createNamesRepo(tx)
  const below = folderBelow(path)
  for (const { path_key, entity_type, entity_id } of await names.listPlaced(
    space_id,
    [path, below].map(pathKey),
  )) {
    if (entity_type !== 'page' || entity_id === id) continue
    const row = await createEntitiesRepo(tx).find(kind, space_id, entity_id)
    if (!row) continue
    if (path_key === pathKey(below) && row.body === '') {
      if (id === null) return row
      continue
    }
    if (path_key !== pathKey(path)) continue
    // Two paths that differ by case alone are one in a Space.
    const next = await freePath(tx, { space_id, id: id ?? '', path })
    await pass.writer.write(
      tx,
      { action: 'update', type: 'page', space_id, id: row.id, version: row.version, fields: { path: next } },
      context,
    )
  }
  return null
}

/** The title that a note says of itself, where it said another one before; null: it does not. */
export function newTitle(before: string, text: string, path: string): string | null {
  const title = titleIn(text, path)
  return title !== null && title !== titleIn(before, path) ? asTitle(title) : null
}

/** A page that stood for a folder that is empty now goes with it, if nobody else made it. */
export async function removeEmptyFolder(tx: Tx, pass: Pass, folder: string): Promise<void> {
  if (folder === '') return
  const { space_id } = pass.folder
  const names = createNamesRepo(tx)
  const [placed] = await names.listPlaced(space_id, [pathKey(folder)])
  if (placed?.entity_type !== 'page' || (await names.listWithin(space_id, pathKey(folder))).length > 0) return
  const row = await createEntitiesRepo(tx).find(pass.kinds.get('page'), space_id, placed.entity_id)
  if (row?.body !== '' || row.updated_by !== `system:${folderActor.name}`) return
  const { id, version } = row
  await pass.writer.write(tx, { action: 'delete', type: 'page', space_id, id, version }, context)
}
