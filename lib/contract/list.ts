import { z } from 'zod'

/** A page of a list. `next_cursor` requests the next page; `null` on the last page. */
export type List<Item> = { items: Item[]; next_cursor: string | null }

/** Sort order: newest first, most recently changed first, or by title. */
export const ListSort = z.enum(['newest', 'changed', 'title'])
export type ListSort = z.infer<typeof ListSort>

export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable() })
