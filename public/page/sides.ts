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
    { class: 'sides', tabindex: 0, role: 'group', 'aria-label': `${left.title}, and ${right.title}` },
    el('h3', { class: 'sides-title' }, left.title),
    el('h3', { class: 'sides-title' }, right.title),
    titles && [
      el('p', { class: 'sides-cell sides-name' }, el('del', {}, visible(left.fields.title))),
      el('p', { class: 'sides-cell sides-name' }, el('ins', {}, visible(right.fields.title))),
    ],
    diffText(left.fields.body, right.fields.body).map(renderRow),
  )
}

function renderRow(hunk: Hunk): Child {
  if (hunk.kind === 'folded') {
    const lines = hunk.lines === 1 ? '1 line' : `${hunk.lines} lines`
    return el(
      'details',
      { class: 'sides-fold' },
      el('summary', {}, `${lines} the same`),
      el('div', { class: 'sides-cell' }, visible(hunk.text)),
    )
  }
  if (hunk.kind === 'same') return [cell(visible(hunk.text)), cell(visible(hunk.text))]
  return [cell(oneSide(hunk.parts, 'removed')), cell(oneSide(hunk.parts, 'added'))]
}

const cell = (content: Child) => el('div', { class: 'sides-cell' }, content)

function oneSide(parts: readonly Part[], kind: 'removed' | 'added'): Child {
  return parts
    .filter((part) => part.kind === kind || part.kind === 'same' || part.kind === 'folded')
    .map((part) =>
      part.kind === kind
        ? el(kind === 'removed' ? 'del' : 'ins', {}, visible(part.text))
        : visible(part.text),
    )
}
