import { z } from 'zod'

const decision = z.object({
  choice: z.string(),
  decided_by: z.string(),
  undone_at: z.string().nullable(),
})

const page = z.object({ items: z.array(decision), next_cursor: z.string().nullable() })

export type UndoRate = { decided_by: string; choice: string; decisions: number; undone: number }

/** How often the owner of a running server took a routing back, by who decided what. Rejects when it does not answer. */
export async function readUndoRates(server: string, token: string): Promise<UndoRate[]> {
  const rates = new Map<string, UndoRate>()
  let cursor: string | null = ''
  while (cursor !== null) {
    const url = new URL('/api/routing-decisions?limit=200', server)
    if (cursor !== '') url.searchParams.set('cursor', cursor)
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    if (!response.ok) throw new Error(`${url.origin} answered ${response.status}.`)
    const { items, next_cursor } = page.parse(await response.json())
    for (const { choice, decided_by, undone_at } of items) {
      const key = `${decided_by} ${choice}`
      const rate = rates.get(key) ?? { decided_by, choice, decisions: 0, undone: 0 }
      rates.set(key, {
        ...rate,
        decisions: rate.decisions + 1,
        undone: rate.undone + (undone_at === null ? 0 : 1),
      })
    }
    cursor = next_cursor
  }
  return [...rates.values()].toSorted((a, b) => b.decisions - a.decisions)
}
