import { expect, test } from 'vitest'
import { createFindOwn } from '../../../lib/companion/research/run/find-passages.ts'
import type { SearchItem } from '../../../lib/contract/space/search.ts'

const found = (entity_id: string) => ({ entity_id }) as SearchItem

test('asks once for the same question, and again for another one or after a failure', async () => {
  const asked: string[] = []
  let fails = true
  const findOwn = createFindOwn({
    search: {
      async show({ q, limit }) {
        asked.push(`${q} ${limit}`)
        if (fails) throw new Error('no connection')
        return { items: [], more: false, missing: [] }
      },
    },
    drafts: { listDrafted: async () => new Set() },
  })
  const ask = (q: string, limit: number) => findOwn({ space_id: 'one', q, kinds: ['page'], limit })

  await expect(ask('oil', 20)).rejects.toThrow('no connection')
  fails = false
  const first = await ask('oil', 20)

  expect(await ask('oil', 20)).toBe(first)
  await ask('oil', 10)
  await ask('wick', 20)
  expect(asked).toEqual(['oil 30', 'oil 30', 'oil 20', 'wick 30'])
})

test('what research drafted takes no place of what is found', async () => {
  const findOwn = createFindOwn({
    search: {
      show: async () => ({ items: ['drafted', 'a', 'b', 'c'].map(found), more: false, missing: [] }),
    },
    drafts: { listDrafted: async (_space, ids) => new Set(ids.filter((id) => id === 'drafted')) },
  })

  const hits = await findOwn({ space_id: 'one', q: 'oil', kinds: ['page'], limit: 2 })

  expect(hits.map(({ entity_id }) => entity_id)).toEqual(['a', 'b'])
})
