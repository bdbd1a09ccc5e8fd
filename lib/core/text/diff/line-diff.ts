import { computeHunks } from './hunks.ts'

/** The lines that are removed and added, each behind its sign; at most one character more than `max`. */
export function lineDiff({ before, after, max }: { before: string; after: string; max: number }): string {
  const signed = (sign: string, lines: string[]) => lines.map((line) => `${sign}${line.replace(/\n$/, '')}`)
  const lines = computeHunks(before, after).flatMap((hunk) => [
    ...signed('-', hunk.before.lines),
    ...signed('+', hunk.after.lines),
  ])
  return lines.join('\n').slice(0, max + 1)
}
