import type { Listed, ListRequest, ListResult } from '../../ai/agent/services.ts'
import { type EntityRow, type Kind, textOf, titleOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { TreePage } from '../../contract/space/pages.ts'
import { invalid } from '../../core/errors.ts'
import type { Queryable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createPageTreeRepo } from '../../db/repos/page_tree.ts'
import { listByProperties } from './list-by-properties.ts'

/**
 * What a Space holds, without any text: one kind by title, the pages below a page, or the pages at the top. Throws a
 * 400 `AppError` for a status that the kind does not have, and for a condition that cannot be read.
 */
export async function listSpace(db: Queryable, kinds: Kinds, request: ListRequest): Promise<ListResult> {
  const counts = await createEntitiesRepo(db).countAll(kinds.all, request.space_id)
  if (request.where || request.sort) return { counts, ...(await listByProperties(db, request)) }
  const found = await findItems(db, kinds, request)
  return { counts, items: found.slice(0, request.limit), more: found.length > request.limit }
}

/** One more than wanted, where there are more. */
async function findItems(db: Queryable, kinds: Kinds, request: ListRequest): Promise<Listed[]> {
  const { space_id, below, kind: type, after = null, limit } = request
  const tree = createPageTreeRepo(db)
  if (below !== undefined) return (await tree.listBelow(space_id, [below], limit + 1, after)).map(fromTree)
  if (type === undefined) return (await tree.listTop(space_id, limit + 1, after)).map(fromTree)

  const kind = kinds.get(type)
  checkStatus(kind, request.status)
  const rows = await createEntitiesRepo(db).list(kind, {
    space_id,
    status: request.status ?? null,
    deleted: false,
    sort: 'title',
    before_id: after,
    limit: limit + 1,
  })
  return rows.map((row) => fromRow(kind, row))
}

function checkStatus(kind: Kind, status: string | undefined): void {
  if (status === undefined) return
  const schema = kind.statusField ? kind.fields.shape[kind.statusField] : undefined
  if (!schema) throw invalid(`status: a ${kind.label} has none.`)
  const parsed = schema.safeParse(status)
  if (!parsed.success) throw invalid(`status: ${parsed.error.issues[0]?.message ?? 'unknown'}`)
}

const fromTree = ({ id, title, has_children }: TreePage): Listed => ({
  kind: 'page',
  id,
  title,
  status: null,
  due_on: null,
  has_children,
})

const fromRow = (kind: Kind, row: EntityRow): Listed => ({
  kind: kind.type,
  id: row.id,
  title: titleOf(row),
  status: kind.statusField ? textOf(row[kind.statusField]) : null,
  due_on: typeof row.due_on === 'string' ? row.due_on : null,
  has_children: false,
})
