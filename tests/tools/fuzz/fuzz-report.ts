import type { FuzzRequest } from './make-request.ts'
import type { FuzzAnswer, NoAnswer } from './send.ts'

const sorts = ['error', 'mismatch', 'leak', 'unanswered', 'stall', 'exit'] as const
export type FindingSort = (typeof sorts)[number]

export type FuzzReport = ReturnType<typeof emptyReport>

/** Of one sort and one cause; more of them are only counted. */
const maxShown = 3

export function emptyReport(seed: number) {
  const findings = Object.fromEntries(sorts.map((sort) => [sort, 0])) as Record<FindingSort, number>
  const answers: Record<string, number> = {}
  const callers: Record<string, number> = {}
  const succeeded = new Set<string>()
  const shown = new Map<string, number>()
  const texts: string[] = []

  const report = {
    seed,
    sent: 0,
    /** By class, `2xx`; overload by its own status; `none` when the connection ended without one. */
    answers,
    callers,
    /** How many of each; every one of them should be none. */
    findings,
    /** In words, with requests that can be repeated. */
    texts,

    /** Operations that did what they are for at least once. */
    succeeded,

    count({ caller, operation }: FuzzRequest, answer: FuzzAnswer | NoAnswer): void {
      report.sent += 1
      callers[caller] = (callers[caller] ?? 0) + 1
      const name = 'none' in answer ? 'none' : nameOf(answer.status)
      answers[name] = (answers[name] ?? 0) + 1
      if (name === '2xx') succeeded.add(operation)
    },

    add(sort: FindingSort, what: string, commands: readonly string[]): void {
      findings[sort] += 1
      // One cause comes with many ids.
      const cause = `${sort} ${what
        .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
        .replace(/\d+/g, 'N')
        .slice(0, 90)}`
      const before = shown.get(cause) ?? 0
      shown.set(cause, before + 1)
      if (before >= maxShown) return
      texts.push([`${sort.toUpperCase()} ${what}`, ...commands.map((command) => `  ${command}`)].join('\n'))
    },

    summary: (): string => {
      const counted = (counts: Record<string, number>) =>
        Object.entries(counts)
          .toSorted(([a], [b]) => a.localeCompare(b))
          .map(([name, count]) => `${name} ${count}`)
          .join(', ')
      return `${report.sent} requests (${counted(callers)}); answers: ${counted(answers)}; findings: ${counted(findings)}`
    },

    isClean: (): boolean => Object.values(findings).every((count) => count === 0),
  }
  return report
}

const nameOf = (status: number): string =>
  status === 503 || status === 507 ? String(status) : `${Math.floor(status / 100)}xx`
