import { diffText } from '../../../lib/core/text/diff/diff-text.ts'
import type { DiffPart } from '../../../lib/core/text/diff/diff-words.ts'
import { visible } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import type { PageText } from '../data/page-data.ts'

export type Side = { title: string; fields: PageText }

/** A fold takes a line itself. */
const minFold = 1

/** Two texts side by side, with what only one of them has marked. */
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
    renderBodies(left.fields.body, right.fields.body),
  )
}

function renderBodies(left: string, right: string): Child {
  const { hunks, unchanged } = diffText(left, right)
  return [
    hunks.map(({ index, context, parts }) => [
      renderUnchanged(unchanged[index]!),
      sameRow(context.above),
      row(oneSide(parts, 'removed'), oneSide(parts, 'added')),
      sameRow(context.below),
    ]),
    renderUnchanged(unchanged.at(-1)!),
  ]
}

function renderUnchanged(lines: readonly string[]): Child {
  if (lines.length <= minFold) return sameRow(lines)
  return el(
    'details',
    { class: 'both-sides-fold' },
    el('summary', {}, `${lines.length.toLocaleString('en')} unchanged lines`),
    el('div', { class: 'both-sides-cell' }, visible(lines.join('\n'))),
  )
}

const sameRow = (lines: readonly string[]): Child =>
  lines.length > 0 && row(visible(lines.join('\n')), visible(lines.join('\n')))

const row = (left: Child, right: Child) => el('div', { class: 'both-sides-row' }, cell(left), cell(right))

const cell = (content: Child) => el('div', { class: 'both-sides-cell' }, content)

function oneSide(parts: readonly DiffPart[], kind: 'removed' | 'added'): Child {
  const visibleParts = parts.filter((part) => part.kind === kind || part.kind === 'same')
  const mark = kind === 'removed' ? 'del' : 'ins'
  return visibleParts.map((part, index) => {
    const text = index === visibleParts.length - 1 ? withoutLineEnd(part.text) : part.text
    return part.kind === kind ? el(mark, {}, visible(text)) : visible(text)
  })
}

// The row itself breaks the line.
const withoutLineEnd = (text: string) => text.replace(/\n$/, '')
