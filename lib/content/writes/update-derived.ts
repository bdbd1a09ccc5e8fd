import { type EntityRow, type Kind, titleOf } from '../../contract/entities/kind.ts'
import type { Queryable } from '../../db/pool.ts'
import { createPagePropertiesRepo } from '../../db/repos/page_properties.ts'
import { maxIndexedAtOnce } from '../../search/index-document.ts'
import type { Search } from '../../search/search.ts'
import { createEntityLinks } from '../links/extract.ts'
import { updatePageData } from '../properties/page-data.ts'
import type { EntityWrite } from './entity-write.ts'

type StoredWrite = {
  action: EntityWrite['action']
  kind: Kind
  /** As it is after the write. */
  row: EntityRow
  /** The names of the fields that changed. */
  changed: readonly string[]
  /** Of a created entity: its paths in an imported folder. */
  paths: readonly string[] | undefined
}

/** Updates what is computed from an entity's text, after a write of it: names, links, properties and the search index. */
export async function updateDerived(tx: Queryable, search: Search, write: StoredWrite): Promise<void> {
  const { action, kind, row } = write
  const place = { space_id: row.space_id, entity_type: kind.type, entity_id: row.id }
  const text = kind.searchText(row)
  const links = createEntityLinks(tx)

  if (action === 'delete') {
    await links.remove(place)
    if (kind.type === 'page') await createPagePropertiesRepo(tx).remove(row.space_id, row.id)
    await search.remove(tx, row.id)
    return
  }
  if (action === 'update' && !changesText(write)) return
  if (action === 'restore') await links.restore(place)
  if (action === 'create') await links.create(place, titleOf(row), text, write.paths)
  else await links.update(place, titleOf(row), text)
  if (kind.type === 'page') await updatePageData(tx, row)
  const document = { ...place, title: titleOf(row), text }
  if (text.length > maxIndexedAtOnce) await search.defer(tx, document)
  else await search.index(tx, document)
}

// Statuses and dates are neither searched nor linked; every other field may be.
function changesText({ kind, changed }: StoredWrite): boolean {
  const unindexed = new Set([
    ...Object.keys(kind.references),
    kind.statusField,
    'position',
    'due_on',
    'priority',
    'recurrence',
    'remind_at',
  ])
  return changed.some((name) => !unindexed.has(name))
}
