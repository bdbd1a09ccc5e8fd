import { z } from 'zod'
import type { Usage } from '../../contract/events/events.ts'

/** US dollars for a million tokens. */
export type Price = { input: number; output: number; cacheRead: number; cacheWrite: number }

export type Prices = ReadonlyMap<string, Price>

/** https://platform.claude.com/docs/en/about-claude/pricing, as it stood on this day. */
export const pricesAsOf = '2026-10-16'

/**
 * Cache writes are those of five minutes, which is what Void asks for. Of Haiku 5.5 the price of prompts up to 100,000
 * tokens: it is called with short ones.
 */
export const listPrices: Prices = new Map([
  ['claude-fable-5-1', price(10, 50, 0.25, 12.5)],
  ['claude-opus-5-5', price(4, 20, 0.2, 5)],
  ['claude-opus-5', price(5, 25, 0.5, 6.25)],
  ['claude-opus-4-8', price(5, 25, 0.5, 6.25)],
  ['claude-opus-4-7', price(5, 25, 0.5, 6.25)],
  ['claude-opus-4-6', price(5, 25, 0.5, 6.25)],
  ['claude-opus-4-5', price(5, 25, 0.5, 6.25)],
  ['claude-sonnet-5-5', price(2, 10, 0.1, 2.5)],
  ['claude-sonnet-5', price(2, 10, 0.2, 2.5)],
  ['claude-sonnet-4-6', price(3, 15, 0.3, 3.75)],
  ['claude-sonnet-4-5', price(3, 15, 0.3, 3.75)],
  ['claude-haiku-5-5', price(0.1, 0.5, 0.01, 0.125)],
  ['claude-haiku-4-5', price(1, 5, 0.1, 1.25)],
])

function price(input: number, output: number, cacheRead: number, cacheWrite: number): Price {
  return { input, output, cacheRead, cacheWrite }
}

/** A model's name may end in the day that it is from, which changes no price. */
export const priceOf = (prices: Prices, model: string): Price | null =>
  prices.get(model) ?? prices.get(model.replace(/-\d{8}$/, '')) ?? null

/** In US dollars. */
export const costOf = (price: Price, usage: Usage): number =>
  (usage.input_tokens * price.input +
    usage.output_tokens * price.output +
    usage.cache_read_input_tokens * price.cacheRead +
    usage.cache_creation_input_tokens * price.cacheWrite) /
  1_000_000

/**
 * Prices in a setting: `model=input/output[/cache read[/cache write]]`, separated by commas. Left out, what the cache
 * gives costs a tenth of the input, and what goes into it a quarter more.
 */
export const priceList = z.string().transform((text, context): Prices => {
  const prices = new Map<string, Price>()
  for (const part of text.split(',')) {
    if (part.trim() === '') continue
    const [name = '', list = ''] = part.split('=').map((word) => word.trim())
    const numbers = list.split('/').map((number) => (number.trim() === '' ? Number.NaN : Number(number)))
    const [input = Number.NaN, output = Number.NaN, read = input / 10, write = input * 1.25] = numbers
    const all = [input, output, read, write]
    if (name === '' || numbers.length > 4 || all.some((number) => !(number >= 0 && number < 1e6))) {
      context.addIssue({ code: 'custom', message: `“${part.trim()}” is not a model=input/output price` })
      return z.NEVER
    }
    prices.set(name, price(input, output, read, write))
  }
  return prices
})
