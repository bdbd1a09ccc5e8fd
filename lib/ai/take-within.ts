import { estimateTokens } from './estimate-tokens.ts'

/** The first of the items that come to at most that many tokens, each with one more for what stands between. */
export function takeWithin(items: readonly string[], mostTokens: number): string[] {
  let left = mostTokens
  const end = items.findIndex((item) => {
    left -= estimateTokens(item) + 1
    return left < 0
  })
  return items.slice(0, end === -1 ? undefined : end)
}
