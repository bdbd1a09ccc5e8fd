import type { Space } from '../../../lib/contract/entities.ts'
import type { FoundPage, TreePage } from '../../../lib/contract/space/pages.ts'
import type { Api } from '../../app/api/api.ts'
import { withQuery } from '../../ui/words/addresses.ts'
import { createPageLevels, type TreeRow } from './page-levels.ts'

export type ParentChoice = {
  /** `null`: the top level. */
  id: string | null
  title: string
  depth: number
  /** The pages above a found one. */
  path: string
  /** Its row of the tree; `null` for a found page. */
  row: TreeRow | null
}

/** The pages that may become the parent of some pages: all but these and those below them. */
export function createParentChoices(api: Pick<Api, 'get'>, space: Space, moved: ReadonlySet<string>) {
  const base = `/api/spaces/${space.id}`
  let levels = createPageLevels([])

  return {
    async load(): Promise<void> {
      levels = createPageLevels((await api.get<{ items: TreePage[] }>(`${base}/page-tree?levels=2`)).items)
    },

    tree(): ParentChoice[] {
      const hidden = new Set(moved)
      const rows = levels.rows().filter((row) => {
        const isBelow = row.page.parent_id !== null && hidden.has(row.page.parent_id)
        if (isBelow) hidden.add(row.page.id)
        return !hidden.has(row.page.id)
      })
      return [
        { id: null, title: 'Top level', depth: 0, path: '', row: null },
        ...rows.map((row) => ({ id: row.page.id, title: row.page.title, depth: row.depth, path: '', row })),
      ]
    },

    async find(q: string): Promise<ParentChoice[]> {
      const { items } = await api.get<{ items: FoundPage[] }>(withQuery(`${base}/page-titles`, { q }))
      return items
        .filter(({ id, above }) => ![id, ...above.map((each) => each.id)].some((each) => moved.has(each)))
        .map(({ id, title, above }) => ({
          id,
          title,
          depth: 0,
          row: null,
          path: above.map((each) => each.title).join(' › '),
        }))
    },

    async setOpen({ page: { id } }: TreeRow, open: boolean): Promise<void> {
      if (open && !levels.level(id)) {
        levels.setLevel(id, (await api.get<{ items: TreePage[] }>(`${base}/page-tree?below=${id}`)).items)
      }
      levels.setOpen(id, open)
    },
  }
}
