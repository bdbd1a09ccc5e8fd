// What changes in a text: each stretch in the context of its document, as the server laid it out.

import type { CardField, CardHunk, ChangeCounts, DiffPart, TextChange } from '../../lib/contract/card.ts'
import { visible } from '../components/visible.ts'
import { type Child, el } from '../dom.ts'
import { renderLinks } from './links.ts'
import { renderQuotes } from './quotes.ts'
import { renderTable } from './table.ts'

export type TextOptions = {
  /** Begins the ids of what can be opened or chosen. */
  id: string
  /** Whether single hunks may be chosen. */
  choosable: boolean
}

/** Hunks that stand open; the rest is one press away, with its size. */
const openHunks = 6
/** Lines of one hunk that stand open. */
const openLines = 24

export function renderText({ name }: CardField, change: TextChange, options: TextOptions): HTMLElement {
  const id = `${options.id}-${name}`
  const hunks = change.hunks.map((hunk, index) =>
    renderHunk(hunk, { ...options, id, name, first: index === 0 }),
  )
  const rest = hunks.slice(openHunks)
  const hidden = change.hunks.slice(openHunks)
  return el(
    'div',
    { class: 'diff' },
    hunks.slice(0, openHunks),
    rest.length > 0 &&
      el(
        'details',
        { class: 'diff-rest', id: `${id}-rest` },
        el('summary', {}, `${plural(rest.length, 'more change')} (${countsOf(hidden)})`),
        rest,
      ),
    change.folded &&
      el(
        'p',
        { class: 'diff-gap' },
        `${plural(change.folded.hunks, 'change')} not on this card (${counts(change.folded)})`,
      ),
    gap(change.unchanged_below),
  )
}

function renderHunk(
  hunk: CardHunk,
  { id, name, choosable, first }: TextOptions & { name: string; first: boolean },
): HTMLElement {
  const place = [...hunk.heading_path, `line ${hunk.lines.after.start}`].join(' › ')
  const box = `${id}-take-${hunk.index}`
  return el(
    'section',
    { class: ['diff-hunk', `hunk-${hunk.kind.replace('_', '-')}`], 'aria-label': place },
    (hunk.unchanged_above > 0 || !first) && gap(hunk.unchanged_above),
    el(
      'header',
      { class: 'diff-place' },
      choosable &&
        el('input', {
          class: 'card-choice',
          type: 'checkbox',
          id: box,
          checked: true,
          'data-field': name,
          'data-hunk': hunk.index,
        }),
      el(choosable ? 'label' : 'span', choosable ? { for: box } : {}, visible(place)),
      el('span', { class: 'diff-counts' }, counts(hunk.counts)),
    ),
    hunk.table ? renderTable(hunk.table) : renderLines(hunk, `${id}-${hunk.index}`),
    renderLinks(hunk.links),
    renderQuotes(hunk.quotes),
  )
}

function renderLines({ context, parts }: CardHunk, id: string): HTMLElement {
  const [open, folded] = splitParts(parts, openLines)
  return el(
    'div',
    { class: 'diff-text', dir: 'auto' },
    contextLines(context.above, '\n', ''),
    open.map(renderPart),
    folded.length > 0 &&
      el(
        'details',
        { class: 'diff-fold', id: `${id}-fold` },
        el('summary', {}, `Show the other ${plural(linesIn(folded), 'line')}`),
        folded.map(renderPart),
      ),
    contextLines(context.below, '', endsLine(parts) ? '' : '\n'),
  )
}

const endsLine = (parts: readonly DiffPart[]) => parts.at(-1)?.text.endsWith('\n') ?? true

function contextLines(lines: readonly string[], after: string, before: string): Child {
  return (
    lines.length > 0 && el('span', { class: 'diff-same' }, visible(`${before}${lines.join('\n')}${after}`))
  )
}

function renderPart({ kind, text, folded }: DiffPart): Child {
  const more = folded > 0 && el('span', { class: 'diff-gap' }, ` … ${plural(folded, 'character')} not shown`)
  if (kind === 'same') return [visible(text), more]
  return el(kind === 'removed' ? 'del' : 'ins', {}, visible(text), more)
}

/** The parts up to so many line breaks, and the rest; a part is cut at a line's end. */
export function splitParts(parts: readonly DiffPart[], lines: number): [DiffPart[], DiffPart[]] {
  let left = lines
  for (const [index, part] of parts.entries()) {
    const breaks = part.text.split('\n').length - 1
    if (breaks <= left) {
      left -= breaks
      continue
    }
    const cut = endOfLine(part.text, left)
    const rest = [{ ...part, text: part.text.slice(cut) }, ...parts.slice(index + 1)]
    if (linesIn(rest) < lines / 4) break
    return [[...parts.slice(0, index), { ...part, text: part.text.slice(0, cut), folded: 0 }], rest]
  }
  return [[...parts], []]
}

/** Where the line after `lines` line breaks ends. */
function endOfLine(text: string, lines: number): number {
  let end = -1
  for (let line = 0; line <= lines; line += 1) end = text.indexOf('\n', end + 1)
  return end + 1
}

const linesIn = (parts: readonly DiffPart[]) =>
  parts.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0) || 1

const gap = (lines: number): Child =>
  lines > 0 && el('p', { class: 'diff-gap' }, `${plural(lines, 'unchanged line')}`)

const countsOf = (hunks: readonly CardHunk[]) =>
  counts({
    words_added: sum(hunks, ({ counts }) => counts.words_added),
    words_removed: sum(hunks, ({ counts }) => counts.words_removed),
    lines_added: 0,
    lines_removed: 0,
  })

const sum = (hunks: readonly CardHunk[], of: (hunk: CardHunk) => number) =>
  hunks.reduce((total, hunk) => total + of(hunk), 0)

/** "+12 −3 words", for a person. */
export function counts({ words_added: added, words_removed: removed }: ChangeCounts): string {
  if (added + removed === 0) return 'no words'
  const signs = [added > 0 && `+${inNumbers(added)}`, removed > 0 && `−${inNumbers(removed)}`]
    .filter(Boolean)
    .join(' ')
  return `${signs} ${added + removed === 1 ? 'word' : 'words'}`
}

const plural = (count: number, noun: string) => `${inNumbers(count)} ${noun}${count === 1 ? '' : 's'}`

const inNumbers = (count: number) => count.toLocaleString('en')
