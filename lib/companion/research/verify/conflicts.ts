import type { Judged } from './judge-claim.ts'
import type { Context } from './match.ts'
import { sentenceConflicts } from './sentence-conflicts.ts'
import { limits } from './thresholds.ts'
import type { Conflict } from './types.ts'

/** What passages say for a claim and against it, then what they say otherwise word for word; each pair once. */
export function findConflicts(judged: readonly Judged[], { index, vocabulary }: Context): Conflict[] {
  const found = [...judged.flatMap(({ conflicts }) => conflicts), ...sentenceConflicts(index, vocabulary)]
  const pairs = new Map<string, Conflict>()
  for (const conflict of found) {
    const key = [conflict.a, conflict.b].toSorted().join(' ')
    if (!pairs.has(key)) pairs.set(key, conflict)
  }
  return [...pairs.values()].slice(0, limits.conflicts)
}
