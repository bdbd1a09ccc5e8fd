import { visible } from '../components/visible.ts'
import { type Child, el } from '../dom.ts'
import { diffText, type Hunk, type Part } from '../text-diff.ts'
import type { Fields } from './autosave.ts'

export type Side = { title: string; fields: Fields }

/** Two texts beside one another, with what only one of them says marked. */
export function renderSides(left: Side, right: Side): HTMLElement {
  const titles = left.fields.title !== right.fields.title
  return el(
    'div',
    { class: 'both-sides', tabindex: 0, role: 'group', 'aria-label': `${left.title}, and ${right.title}` },
    el(
      'div',
      { class: 'both-sides-row both-sides-head' },
      el('h3', {}, left.title),
      el('h3', {}, right.title),
    ),
    titles &&
      el(
        'div',
        { class: 'both-sides-row both-sides-name' },
        cell(el('del', {}, visible(left.fields.title))),
        cell(el('ins', {}, visible(right.fields.title))),
      ),
    diffText(left.fields.body, right.fields.body).map(renderRow),
  )
}

function renderRow(hunk: Hunk): Child {
  if (hunk.kind === 'folded') {
    const lines = hunk.lines === 1 ? '1 line' : `${hunk.lines} lines`
    return el(
      'details',
      { class: 'both-sides-fold' },
      el('summary', {}, `${lines} the same`),
      el('div', { class: 'both-sides-cell' }, visible(hunk.text)),
    )
  }
  if (hunk.kind === 'same') return row(visible(withoutEnd(hunk.text)), visible(withoutEnd(hunk.text)))
  return row(oneSide(hunk.parts, 'removed'), oneSide(hunk.parts, 'added'))
}

const row = (left: Child, right: Child) => el('div', { class: 'both-sides-row' }, cell(left), cell(right))

const cell = (content: Child) => el('div', { class: 'both-sides-cell' }, content)

function oneSide(parts: readonly Part[], kind: 'removed' | 'added'): Child {
  const shown = parts.filter((part) => part.kind === kind || part.kind === 'same' || part.kind === 'folded')
  const mark = kind === 'removed' ? 'del' : 'ins'
  return shown.map((part, index) => {
    const text = index === shown.length - 1 ? withoutEnd(part.text) : part.text
    return part.kind === kind ? el(mark, {}, visible(text)) : visible(text)
  })
}

// The row itself is the break of the line.
const withoutEnd = (text: string) => text.replace(/\n$/, '')
