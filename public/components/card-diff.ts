// Long text on a card: what changes in a text that is there, and the whole of one that is new or goes.

import { type Child, el } from '../dom.ts'
import { countWords, diffText, type Hunk, type Part } from '../text-diff.ts'
import { visible } from './visible.ts'

/** Lines of a new or deleted text that stand open; the rest is one press away. */
const openLines = 12
const openCharacters = 1200

/** The change from one text to another, unchanged stretches folded with their size. `id` begins the folds' ids. */
export function renderDiff(before: string, after: string, id: string): HTMLElement {
  const hunks = diffText(before, after).map((hunk, index) => renderHunk(hunk, `${id}-${index}`))
  return el('div', { class: 'diff' }, hunks)
}

/** A text that comes or goes as a whole. */
export function renderWhole(text: string, kind: 'added' | 'removed', id: string): HTMLElement {
  const cut = openEnd(text)
  const rest = text.slice(cut)
  return el(
    'div',
    { class: ['diff', `diff-${kind}`] },
    visible(text.slice(0, cut)),
    rest && fold(id, `Show the other ${amount(rest)}`, visible(rest)),
  )
}

function renderHunk(hunk: Hunk, id: string): Child {
  if (hunk.kind === 'changed') return hunk.parts.map((part, index) => renderPart(part, `${id}-${index}`))
  if (hunk.kind === 'same') return el('span', { class: 'diff-same' }, visible(hunk.text))
  return fold(id, `${amountOfLines(hunk.lines)} unchanged`, visible(hunk.text))
}

function renderPart({ kind, text }: Part, id: string): Child {
  if (kind === 'removed') return el('del', {}, visible(text))
  if (kind === 'added') return el('ins', {}, visible(text))
  return kind === 'folded' ? fold(id, `${countWords(text)} words unchanged`, visible(text)) : visible(text)
}

const fold = (id: string, label: string, content: Child) =>
  el('details', { class: 'diff-fold', id }, el('summary', {}, label), content)

function openEnd(text: string): number {
  let end = 0
  for (let line = 0; line < openLines; line++) {
    const next = text.indexOf('\n', end)
    if (next < 0) return lengthOpen(text, text.length)
    end = next + 1
  }
  return lengthOpen(text, end)
}

// Not worth a fold for a few words more; and not within a character of two units.
function lengthOpen(text: string, end: number): number {
  if (end <= openCharacters) return text.length - end < 200 ? text.length : end
  const space = text.lastIndexOf(' ', openCharacters)
  return space > openCharacters / 2
    ? space
    : openCharacters + (/[\ud800-\udbff]/.test(text[openCharacters - 1]!) ? 1 : 0)
}

function amount(text: string): string {
  const lines = text.trimEnd().split('\n').length
  return lines > 2 ? amountOfLines(lines) : `${countWords(text)} words`
}

const amountOfLines = (lines: number) => (lines === 1 ? '1 line' : `${lines} lines`)
