// The page Contradictions: each with both sides quoted, linked and dated. And the correction, where one side is plainly
// the newer.

import { hash } from 'node:crypto'
import { dayIn, dayMs } from '../../../core/schedule/zoned.ts'
import { markdownLine } from '../../../core/text/cited/cited-markdown.ts'
import { normalizeName } from '../../../core/text/normalize-name.ts'
import { quoteShown } from '../../../core/text/quote-name.ts'
import type { DatedPage } from '../../../db/repos/ready_routines.ts'
import type { ReadyDraft } from './ready-run.ts'

export const ledgerTitle = 'Contradictions'

/** Two pages and the sentences in which they differ. */
export type Pair = { a: DatedPage; b: DatedPage; sentences: [string, string]; values: [string, string] }

/** The same for two sides whichever comes first, and another once one of the sentences is. */
export const pairKey = ({ a, b, sentences }: Pair): string =>
  hash(
    'sha256',
    [`${a.id} ${normalizeName(sentences[0])}`, `${b.id} ${normalizeName(sentences[1])}`]
      .toSorted()
      .join('\n'),
  )

/** `hrefOf`: where a page is shown, at the words. */
export function ledgerEntry(pair: Pair, hrefOf: (id: string, cite: string) => string, zone: string): string {
  const side = ({ id, title, updated_at }: DatedPage, sentence: string) =>
    `  - “${markdownLine(sentence.slice(0, maxQuote).toWellFormed())}” [${markdownLine(title) || 'Untitled'}](${hrefOf(id, sentence)}), last changed ${dayIn(new Date(updated_at), zone)}`
  const { a, b, sentences, values } = pair
  return [
    `- ${values.map((value) => `**${markdownLine(value) || '…'}**`).join(' or ')}`,
    side(a, sentences[0]),
    side(b, sentences[1]),
  ].join('\n')
}

const maxQuote = 400

/** The newest come first, below the day on which they were found. */
export function addToLedger(body: string, day: string, entries: readonly string[]): string {
  const heading = `## ${day}`
  const list = entries.join('\n')
  const begun = body.indexOf(`${heading}\n`)
  if (begun >= 0) {
    const at = begun + heading.length + 1
    return `${body.slice(0, at)}\n${list}\n${body.slice(at).replace(/^\n/, '')}`
  }
  const first = body.search(/^## /m)
  if (first < 0) return `${body.trimEnd() || intro}\n\n${heading}\n\n${list}\n`
  return `${body.slice(0, first)}${heading}\n\n${list}\n\n${body.slice(first)}`
}

const intro =
  'Pages that give different values for one thing, as they were found. Nothing is removed here: delete what is settled.'

/**
 * The correction of the older side: the newer page was made a day after the older one was last changed, and the value
 * stands in the older one once. `null`: neither side is plainly the newer, or it is not plain what to replace.
 */
export function correction({
  a,
  b,
  sentences,
  values,
}: Pair): { input: ReadyDraft; newer: DatedPage } | null {
  const isNewer = (one: DatedPage, other: DatedPage) =>
    Date.parse(one.created_at) - Date.parse(other.updated_at) >= dayMs
  const at = isNewer(a, b) ? 0 : isNewer(b, a) ? 1 : null
  if (at === null) return null
  const [newer, older] = at === 0 ? [a, b] : [b, a]
  const [value, before] = at === 0 ? values : values.toReversed()
  const old_text = sentences[1 - at]!
  if (!isOnce(older.body, old_text) || !isOnce(old_text, before!)) return null
  const reason = `${quoteShown(newer.title, 80)} is newer, and says: ${quoteShown(sentences[at]!, 300)}`
  return {
    newer,
    input: {
      entity_type: 'page',
      action: 'update',
      entity_id: older.id,
      edits: [{ old_text, new_text: old_text.replace(before!, () => value!) }],
      reason,
    },
  }
}

const isOnce = (text: string, part: string): boolean => {
  const at = text.indexOf(part)
  return part !== '' && at >= 0 && !text.includes(part, at + 1)
}
