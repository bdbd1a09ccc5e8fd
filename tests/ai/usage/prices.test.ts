import { expect, test } from 'vitest'
import { costOf, listPrices, priceList, priceOf } from '../../../lib/ai/usage/prices.ts'

const million = {
  input_tokens: 1e6,
  output_tokens: 1e6,
  cache_read_input_tokens: 1e6,
  cache_creation_input_tokens: 1e6,
}

test('a model has its list price, also under a name that ends in a day; an unknown one has none', () => {
  const price = priceOf(listPrices, 'claude-haiku-4-5-20251001')!

  expect(costOf(price, million)).toBeCloseTo(1 + 5 + 0.1 + 1.25, 10)
  expect(priceOf(listPrices, 'llama-of-the-house')).toBeNull()
})

test('a setting names input and output, and what the cache costs where it is not the usual share', () => {
  const prices = priceList.parse('one=2/10, two = 1 / 5 / 0.5 / 3 ,free=0/0')

  expect(Object.fromEntries(prices)).toEqual({
    one: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
    two: { input: 1, output: 5, cacheRead: 0.5, cacheWrite: 3 },
    free: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  })
})

test.each([
  'one',
  'one=',
  '=1/2',
  'one=1',
  'one=1/-2',
  'one=1/2/3/4/5',
  'one=1//2',
  'one=a/b',
  'one=Infinity/1',
])('%s is no price, and the message says so', (text) => {
  expect(priceList.safeParse(text).error?.issues[0]?.message).toContain('input/output')
})
