import type { UsageSum } from '../../../lib/contract/companion/usage.ts'

export const tokenText = (tokens: number): string => tokens.toLocaleString('en-US')

/** "$1.24", "< $0.01"; "no price" where nothing has one, and a plus where a part of it has none. */
export function costText({ cost, tokens, unpriced_tokens }: UsageSum): string {
  if (cost === null) return tokens === 0 ? '$0.00' : 'no price'
  const text = cost > 0 && cost < 0.01 ? '< $0.01' : `$${cost.toFixed(2)}`
  return unpriced_tokens > 0 ? `${text}+` : text
}
