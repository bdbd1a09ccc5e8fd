import type { Found } from '../answers.ts'
import type { Part, Reply } from '../reply.ts'
import { factWeight, isNoise } from './facts.ts'
import type { Wanted } from './keywords.ts'
import { plainName } from './plain-text.ts'
import { type Candidate, weigh } from './rank.ts'
import { type Segment, type SegmentedBlock, segmentBlocks } from './segments.ts'
import type { BoundTerm } from './terms.ts'

const longestQuote = 420
const mostLines = 9

/** Quotations under the name and heading of their source, those of one thing together. */
export function quoteAll(
  chosen: readonly Candidate[],
  terms: readonly BoundTerm[],
  wants: Wanted = null,
): Reply {
  const byThing = Map.groupBy(chosen, ({ found }) => found.id)
  return [...byThing.values()].flatMap((ofThing) => {
    const byHeading = [...Map.groupBy(ofThing, ({ heading }) => heading).values()]
    return byHeading.flatMap((candidates, at) => [
      { text: `${introduce(candidates[0]!, at > 0)}:\n\n` },
      ...quoteGroup(candidates, terms, wants),
    ])
  })
}

function introduce({ found, heading }: Candidate, isMore: boolean): string {
  const name = nameOf(found, heading)
  return isMore && name.includes('“') ? `And under ${name.slice(name.indexOf('“'))}` : `From ${name}`
}

function quoteGroup(candidates: Candidate[], terms: readonly BoundTerm[], wants: Wanted): Part[] {
  const quotes = new Map<string, Part>()
  for (const candidate of candidates.toSorted((a, b) => a.block - b.block)) {
    for (const part of quoteWithNeighbours(candidate, terms, wants)) {
      if (!quotes.has(part.text)) quotes.set(part.text, part)
    }
  }
  return [...quotes.values()]
}

/** The title in bold, and the heading under which the words stand. */
export function nameOf(found: Found, heading: string): string {
  const [title = '', ...path] = found.title.split(' › ')
  const under = plainName(heading || (path.at(-1) ?? ''))
  return `**${plainName(title) || 'untitled'}**${under && under !== plainName(title) ? `, “${under}”` : ''}`
}

/** A block that announces what follows takes it along, and a list or code its announcement. */
function quoteWithNeighbours(
  { found, block, segments }: Candidate,
  terms: readonly BoundTerm[],
  wants: Wanted = null,
): Part[] {
  const all = segmentBlocks(found.blocks)
  const before = all[block - 1]
  const after = all[block + 1]
  const announces = (one: SegmentedBlock | undefined) => one?.segments.at(-1)?.text.endsWith(':') === true
  const parts = [toPart(found, block, segments, terms, wants)]

  if (announces(all[block]) && after && after.segments.length > 0) {
    parts.push(toPart(found, block + 1, after.segments, terms))
  }
  if (before && announces(before) && segments[0]?.kind !== 'prose') {
    parts.unshift(toPart(found, block - 1, before.segments.slice(-1), terms))
  }
  return parts
}

/** One block as a quotation with its citation. */
export function toPart(
  found: Found,
  block: number,
  segments: Segment[],
  terms: readonly BoundTerm[],
  wants: Wanted = null,
): Part {
  return { text: `${blockquote(excerpt(segments, terms, wants))}\n\n`, evidence: [{ found, block }] }
}

/** The segments to show: all of a short block, of a long one the best and its neighbours while there is room. */
export function excerpt(segments: Segment[], terms: readonly BoundTerm[], wants: Wanted = null): Segment[] {
  const rows = segments.filter(({ kind, text }) => kind !== 'header' && !(kind === 'fact' && isNoise(text)))
  const clipped = (rows.length > 0 ? rows : segments).map((each) => ({ ...each, text: clip(each.text) }))
  const weights = clipped.map((segment) => weigh(segment, terms) + factWeight(segment, wants))
  const best = weights.indexOf(Math.max(...weights))
  const chooses = clipped.some(({ kind }) => kind === 'fact' || kind === 'row') && weights[best]! > 0
  if (fits(clipped) && !chooses) return clipped

  const isProse = clipped[best]?.kind === 'prose' || clipped[best]?.kind === 'code' || weights[best] === 0
  const order = clipped
    .map((_, at) => at)
    .sort((a, b) => (isProse ? Math.abs(a - best) - Math.abs(b - best) : weights[b]! - weights[a]!) || a - b)
  const kept = new Set<number>()
  for (const at of order) {
    const worthwhile = isProse || kept.size === 0 || weights[at]! > 0
    if (worthwhile && fits([...kept, at].map((index) => clipped[index]!))) kept.add(at)
    else if (isProse) break
  }
  return clipped.filter((_, at) => kept.has(at))
}

const fits = (segments: Segment[]) =>
  segments.length <= mostLines && segments.reduce((sum, { text }) => sum + text.length, 0) <= longestQuote

function clip(text: string): string {
  if (text.length <= longestQuote) return text
  const cut = text.slice(0, longestQuote).replace(/[\uD800-\uDBFF]$/, '')
  return `${cut.slice(0, Math.max(200, cut.lastIndexOf(' '))).trimEnd()} …`
}

/** Segments as a Markdown quotation; sentences of one paragraph run on. */
function blockquote(segments: Segment[]): string {
  const lines: string[] = []
  let last: Segment['kind'] | null = null
  for (const { kind, text, marker } of segments) {
    const startsCode = kind === 'code' && last !== 'code'
    if (last === 'code' && kind !== 'code') lines.push('```')
    if (startsCode) lines.push('```')
    if (kind === 'prose' && last === 'prose') lines[lines.length - 1] += ` ${text}`
    else lines.push(lineOf(kind, text, marker))
    last = kind
  }
  if (last === 'code') lines.push('```')
  return lines.map((line) => `> ${line}`).join('\n')
}

function lineOf(kind: Segment['kind'], text: string, marker: string): string {
  if (kind === 'item') return `${/\d/.test(marker) ? marker.replace(')', '.') : '-'} ${text}`
  if (kind === 'row' || kind === 'fact') return `- ${text}`
  if (kind === 'line') return `${text}  `
  return text
}
