import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Picked, takePage } from '../../lib/search/pick-passages.ts'

const picked = (n: number): Picked => ({
  chunk: {
    space_id: 's',
    entity_type: 'page',
    entity_id: `e${n}`,
    ordinal: 0,
    title: '',
    heading_path: [],
    text: '',
    start_line: 1,
    end_line: 1,
    score: 1,
  },
  others: [],
  same: [],
})

/** All pages of an answer, one after the other. */
async function readAll(rank: (depth: number) => Promise<Picked[]>, limit: number): Promise<string[][]> {
  const pages: string[][] = []
  for (let offset = 0; ; offset += limit) {
    const { items, more } = await takePage(rank, { offset, limit, by_entity: false })
    pages.push(items.map(({ chunk }) => chunk.entity_id))
    if (!more) return pages
  }
}

test('pages together hold each passage once, though a deeper ranking orders them in another way', async () => {
  const answer = fc.record({
    total: fc.nat(1100),
    limit: fc.integer({ min: 15, max: 60 }),
    turns: fc.array(fc.nat(1100), { maxLength: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(answer, async ({ total, limit, turns }) => {
      const all = Array.from({ length: total }, (_, n) => n)
      // Turned round at another place for each depth.
      const rank = async (depth: number) => {
        const at = total === 0 ? 0 : (turns[depth % 5] ?? 0) % total
        return [...all.slice(at), ...all.slice(0, at)].slice(0, depth).map(picked)
      }

      const pages = await readAll(rank, limit)

      const listed = pages.flat()
      expect(new Set(listed).size).toBe(listed.length)
      expect(listed.length).toBeGreaterThanOrEqual(Math.min(total, 1000))
      const first = (await rank(limit + 1)).slice(0, limit)
      expect(pages[0]).toEqual(first.map(({ chunk }) => chunk.entity_id))
      expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true)
    }),
    { numRuns: 40 },
  )
})

test('the first page asks for one more than it shows', async () => {
  const asked: number[] = []

  await takePage(
    async (depth) => {
      asked.push(depth)
      return [picked(1)]
    },
    { offset: 0, limit: 10, by_entity: false },
  )

  expect(asked).toEqual([11])
})
