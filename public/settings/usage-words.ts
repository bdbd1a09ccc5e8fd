import type { UsageSum } from '../../lib/contract/usage.ts'

export const tokenWords = (tokens: number): string => tokens.toLocaleString('en-US')

/** "$1.24", "under $0.01"; a dash where nothing has a price, and a plus where a part of it has none. */
export function costWords({ cost, tokens, unpriced_tokens }: UsageSum): string {
  if (cost === null) return tokens === 0 ? '$0.00' : 'no price'
  const words = cost > 0 && cost < 0.01 ? 'under $0.01' : `$${cost.toFixed(2)}`
  return unpriced_tokens > 0 ? `${words} and more` : words
}
