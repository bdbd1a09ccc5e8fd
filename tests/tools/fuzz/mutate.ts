import { hostileText, hostileValue } from './hostile-values.ts'
import type { Random } from './random.ts'

/** The value with one place of it made wrong: replaced, left out, doubled, or one that nobody asked for. */
export function mutate(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.1)) return hostileValue(random)
  if (Array.isArray(value)) {
    if (value.length === 0 || random.chance(0.2)) return [...value, hostileValue(random)]
    const at = random.below(value.length)
    return value.map((item, index) => (index === at ? mutate(item, random) : item))
  }
  const entries = Object.entries(value)
  const roll = random.next()
  if (entries.length === 0 || roll < 0.1) return withEntry(entries, hostileText(random), hostileValue(random))
  const at = random.below(entries.length)
  if (roll < 0.2) return Object.fromEntries(entries.filter((_, index) => index !== at))
  const [key, inner] = entries[at]!
  return withEntry(entries, key, mutate(inner, random))
}

/** Through `fromEntries`, which makes an own property of `__proto__` too. */
const withEntry = (entries: [string, unknown][], key: string, value: unknown) =>
  Object.fromEntries([...entries.filter(([known]) => known !== key), [key, value]])
