import type { Citation } from '../../lib/contract/events.ts'
import { citeClose, citeOpen } from '../markdown.ts'

/**
 * A piece of an answer with the marks of its citations put in, each where the words that it supports end. `start` is
 * where the piece stands in the answer. A mark moves before what would break it or be broken by it: the white space
 * and the closing bar at the end of a line, a fence of code.
 */
export function placeCitations(text: string, start: number, citations: readonly Citation[]): string {
  const clean = text.replace(new RegExp(`[${citeOpen}${citeClose}]`, 'g'), ' ')
  const places = new Map<number, Set<number>>()
  for (const { n, end } of citations) {
    if (end <= start || end > start + text.length) continue
    const at = settle(clean, end - start)
    places.set(at, (places.get(at) ?? new Set()).add(n))
  }
  return [...places]
    .toSorted(([a], [b]) => b - a)
    .reduce((marked, [at, numbers]) => {
      const marks = [...numbers].map((n) => `${citeOpen}${n}${citeClose}`).join('')
      return marked.slice(0, at) + marks + marked.slice(at)
    }, clean)
}

function settle(text: string, at: number): number {
  const before = text.slice(0, at)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  if (/^\s*(`{3,}|~{3,})/.test(line)) return before.length - line.length
  return before.replace(/[\s|]+$/, '').length
}
