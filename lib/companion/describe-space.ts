import { estimateTokens } from '../ai/estimate-tokens.ts'
import { quoteName } from '../ai/quote-name.ts'
import { takeWithin } from '../ai/take-within.ts'
import type { NamedCount } from '../db/repos/outline.ts'
import type { Seen, SeenSpace } from './see-space.ts'

const perName = 24
/** What a list’s own words come to, with “and 1234567 more”. */
const listTokens = 30
/** The share of the tabs in what the counts leave; the rest is for the outline. */
const tabShare = 0.6

/**
 * What is in a Space and open in it, by name only, in at most `mostTokens`. What does not fit is counted. What is looked
 * at is always told.
 */
export function describeSpace(
  { counts, topPages, projects, tabs, view, today }: SeenSpace & { today: string },
  mostTokens: number,
): string {
  const now = [
    `The Space holds: ${inWords(counts)}.`,
    `Today is ${today}.`,
    view ? `The owner is looking at ${toWords(view)}.` : 'The owner has nothing particular open.',
  ]
  let left = mostTokens - estimateTokens(now.join('\n'))
  const spend = (lines: string[]): string[] => {
    left -= estimateTokens(lines.map((line) => `${line}\n`).join(''))
    return lines
  }
  const open = spend(listTabs(tabs, Math.floor(left * tabShare)))
  const [holds = '', ...rest] = now
  const outline = [
    ...spend(listNames('Projects', projects, Math.floor(left / 2))),
    ...spend(listNames('Pages at the top', topPages, left)),
  ]
  return [holds, ...outline, ...open, ...rest].join('\n')
}

function inWords(counts: Record<string, number>): string {
  const held = Object.entries(counts).filter(([, count]) => count > 0)
  return held.length > 0 ? held.map(([type, count]) => `${count} × ${type}`).join(', ') : 'nothing yet'
}

function toWords(seen: Seen): string {
  if ('view' in seen) return `the view ${seen.view}${seen.q ? ` for ${quoteName(seen.q, perName)}` : ''}`
  return `the ${seen.kind} ${quoteName(seen.title, perName)} (id ${seen.id})`
}

function listTabs(tabs: SeenSpace['tabs'], mostTokens: number): string[] {
  if (tabs.length === 0) return []
  // The ones in view are told, whichever others are not.
  const order = tabs.toSorted((a, b) => Number(b.shown) - Number(a.shown))
  const lines = order.map((tab) => `- ${tab.side}${tab.shown ? ', in view' : ''}: ${toWords(tab)}`)
  const taken = takeWithin(lines, mostTokens - listTokens)
  const more = lines.length - taken.length
  return ['Open tabs:', ...taken, ...(more > 0 ? [`- and ${more} more`] : [])]
}

function listNames(what: string, { titles, total }: NamedCount, mostTokens: number): string[] {
  if (total === 0) return []
  const taken = takeWithin(
    titles.map((title) => quoteName(title, perName)),
    mostTokens - listTokens,
  )
  const more = total - taken.length
  return [`${what}: ${[...taken, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')}`]
}
