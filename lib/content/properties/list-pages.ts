import type { CellValue, PageFilter, PageList, PageRow, PageSort } from '../../contract/space/pages.ts'
import { tagKey } from '../../core/text/properties/tag.ts'
import { isLink, linkKey, propertyKey } from '../../core/text/properties/typed-properties.ts'
import type { Queryable } from '../../db/pool.ts'
import { createPagePropertiesRepo } from '../../db/repos/derived.ts'
import { createLinksRepo } from '../../db/repos/links.ts'
import { countPageRows, type FoundPageRow, listPageRows } from '../../db/repos/page_rows.ts'

export type PageListRequest = {
  space_id: string
  /** With or without `#`. */
  tag?: string | undefined
  filter?: PageFilter | undefined
  sorts?: readonly PageSort[] | undefined
  columns?: readonly string[] | undefined
  after?: string | undefined
  limit: number
}

/** Pages by their tags and properties, and how many there are. */
export async function listPages(db: Queryable, request: PageListRequest): Promise<PageList> {
  const { space_id, columns = [], limit } = request
  const filter = request.filter ?? null
  const tag = request.tag === undefined ? null : tagKey(request.tag.replace(/^#/, ''))
  const withPlace = columns.some((column) => ['file.path', 'file.folder'].includes(propertyKey(column)))
  const asked = { space_id, tag, filter }
  const [rows, count] = await Promise.all([
    listPageRows(db, {
      ...asked,
      sorts: request.sorts ?? [],
      after: request.after ?? null,
      limit: limit + 1,
      withPlace,
    }),
    countPageRows(db, asked),
  ])
  const shown = rows.slice(0, limit)
  const items = await withLinks(
    db,
    space_id,
    shown.map((row) => toRow(row, columns)),
  )
  return { items, count, next_cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null }
}

const maxTags = 5000
const maxNames = 300

export const listTags = (db: Queryable, spaceId: string) =>
  createPagePropertiesRepo(db).listTags(spaceId, maxTags)
export const listPropertyNames = (db: Queryable, spaceId: string) =>
  createPagePropertiesRepo(db).listNames(spaceId, maxNames)

type Stored = { value?: CellValue }

function toRow(
  { id, title, created_at, updated_at, ...row }: FoundPageRow,
  columns: readonly string[],
): PageRow {
  const properties = (row.properties ?? {}) as Record<string, Stored | undefined>
  const tags = properties['file.tags']?.value
  const ofPage: Record<string, CellValue> = {
    'file.name': title,
    'file.ctime': created_at,
    'file.mtime': updated_at,
    'file.ext': 'md',
    'file.folder': row.folder,
    'file.path': row.folder === null ? null : `${row.folder ? `${row.folder}/` : ''}${title}.md`,
  }
  const values = columns.map((column): CellValue => {
    const key = propertyKey(column)
    if (Object.hasOwn(ofPage, key)) return ofPage[key]!
    return (Object.hasOwn(properties, key) ? properties[key]?.value : null) ?? null
  })
  return {
    id,
    title,
    created_at,
    updated_at,
    tags: Array.isArray(tags) ? tags.map(String) : [],
    values,
    links: [],
  }
}

/** Where the links in their values lead. */
async function withLinks(db: Queryable, spaceId: string, rows: PageRow[]): Promise<PageRow[]> {
  const wanted = new Map(rows.map(({ id, values }) => [id, linksIn(values)]))
  const linking = rows.filter(({ id }) => wanted.get(id)!.size > 0).map(({ id }) => id)
  if (linking.length === 0) return rows
  const byPage = Map.groupBy(
    await createLinksRepo(db).listFromAll(spaceId, linking),
    ({ from_id }) => from_id,
  )
  return rows.map((row) => {
    const links = (byPage.get(row.id) ?? []).filter(({ name }) => wanted.get(row.id)!.has(linkKey(name)))
    const unique = new Map(
      links.map(({ form, target, name, to_type, to_id }) => [name, { form, target, name, to_type, to_id }]),
    )
    return { ...row, links: [...unique.values()] }
  })
}

function linksIn(values: readonly CellValue[]): Set<string> {
  const texts = values.flat().filter((value) => typeof value === 'string' && isLink(value)) as string[]
  return new Set(texts.map((text) => linkKey(/^\[\[([^[\]|#]+)/.exec(text)?.[1] ?? '')))
}
