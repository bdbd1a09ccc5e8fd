import { z } from 'zod'

/** A list; `next_cursor` asks for what follows. */
export type List<Item> = { items: Item[]; next_cursor: string | null }

/** Newest first, last changed first, or by title. */
export const ListSort = z.enum(['newest', 'changed', 'title'])
export type ListSort = z.infer<typeof ListSort>

export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable() })
