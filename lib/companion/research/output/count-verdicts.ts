import type { ResearchClaim, ResearchVerdict } from '../../../contract/research.ts'
import { countOf } from './count-of.ts'

type Judged = Pick<ResearchClaim, 'verdict'>

export const isSupported = ({ verdict }: Judged): boolean => verdict === 'quoted' || verdict === 'judged'

export function countVerdicts(claims: readonly Judged[]): Partial<Record<ResearchVerdict, number>> {
  const groups = Map.groupBy(claims, ({ verdict }) => verdict)
  return Object.fromEntries([...groups].map(([verdict, group]) => [verdict, group.length]))
}

/** "6 claims: 4 quoted, 1 judged supported, 1 unchecked". */
export function verdictCounts(claims: readonly Judged[]): string {
  const { quoted = 0, judged = 0, contradicted = 0 } = countVerdicts(claims)
  const parts = [
    [quoted, 'quoted'],
    [judged, 'judged supported'],
    [contradicted, 'contradicted'],
    [claims.length - quoted - judged - contradicted, 'unchecked'],
  ] as const
  const words = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  return `${countOf(claims.length, 'claim')}${words.length > 0 ? `: ${words.join(', ')}` : ''}`
}
