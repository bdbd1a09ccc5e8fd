import { expect, test } from 'vitest'
import { rememberSearches } from '../../../lib/companion/research/run/find-passages.ts'

test('asks once for the same question, and again for another one or after a failure', async () => {
  const asked: string[] = []
  let fails = true
  const search = rememberSearches({
    async show({ q, limit }) {
      asked.push(`${q} ${limit}`)
      if (fails) throw new Error('no connection')
      return { items: [], more: false, missing: [] }
    },
  })
  const ask = (q: string, limit: number) => search.show({ space_ids: ['one'], q, limit }, 200)

  await expect(ask('oil', 20)).rejects.toThrow('no connection')
  fails = false
  const first = await ask('oil', 20)

  expect(await ask('oil', 20)).toBe(first)
  await ask('oil', 10)
  await ask('wick', 20)
  expect(asked).toEqual(['oil 20', 'oil 20', 'oil 10', 'wick 20'])
})
