// What the owner sees in a list, on a board, in search or at Home. The browser says which rows are in sight, by id; what
// they are called is looked up. Where nothing is said of rows, the list itself is asked.

import type { Listed, ListRequest, ViewRead } from '../../ai/agent/services.ts'
import type { ViewedList } from '../../contract/companion/open-desk.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { AppError } from '../../core/errors.ts'
import type { Queryable } from '../../db/pool.ts'
import type { Search } from '../../search/search.ts'
import { findTitles, keyOf } from '../prompt/system-prompt.ts'
import { listSpace } from './list-space.ts'

type ReadViewDeps = { database: Queryable; kinds: Kinds; search: Search }

const maxRows = 20

export async function readView(
  deps: ReadViewDeps,
  { space_id, view }: { space_id: string; view: ViewedList },
): Promise<ViewRead> {
  const { entityId, q = null, filters = {}, rows, selected = [] } = view
  const project = /^[0-9a-f-]{36}$/i.test(filters.project ?? '')
    ? [{ kind: 'project', id: filters.project! }]
    : []
  const titles = await findTitles(deps.database, deps.kinds, space_id, [
    ...(rows ?? []),
    ...selected,
    ...project,
  ])
  const toListed = (row: { kind: string; id: string }): Listed[] => {
    const title = titles.get(keyOf(row))
    return title === undefined ? [] : [{ ...row, title, ...noFacts }]
  }
  const named = project.flatMap(toListed)[0]?.title
  return {
    view: entityId,
    q,
    filters: named === undefined ? filters : { ...filters, project: named },
    rows: rows ? rows.flatMap(toListed) : await listRows(deps, space_id, view),
    inSight: rows !== undefined,
    selected: selected.flatMap(toListed),
  }
}

const noFacts = { status: null, due_on: null, has_children: false }

/** The kind that a view lists, besides the tree of pages. */
const kindOf: Partial<Record<ViewedList['entityId'], string>> = {
  tasks: 'task',
  projects: 'project',
  refs: 'ref',
  resources: 'resource',
  'source-docs': 'source_doc',
}

async function listRows(deps: ReadViewDeps, space_id: string, view: ViewedList): Promise<Listed[]> {
  const { entityId, q, filters = {} } = view
  const kind = kindOf[entityId]
  if (kind) {
    const { status } = filters
    return await listed(deps, { space_id, kind, limit: maxRows, ...(status ? { status } : {}) })
  }
  if (entityId === 'pages' || entityId === 'home') return await listed(deps, { space_id, limit: maxRows })
  if (entityId !== 'search' || !q) return []
  const found = await deps.search.query({ space_ids: [space_id], q, limit: maxRows, group: 'entity' })
  return found
    .filter(({ entity_type }) => deps.kinds.find(entity_type))
    .map(({ entity_type, entity_id, title }) => ({ kind: entity_type, id: entity_id, title, ...noFacts }))
}

/** A status that the kind does not have lists nothing. */
async function listed({ database, kinds }: ReadViewDeps, request: ListRequest): Promise<Listed[]> {
  try {
    return (await listSpace(database, kinds, request)).items
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return []
    throw error
  }
}
