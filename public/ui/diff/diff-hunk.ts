// A hunk of a text diff, the same on a card and in every history.

import type { DiffCounts, TextHunk } from '../../../lib/core/text/diff/diff-text.ts'
import type { DiffPart } from '../../../lib/core/text/diff/diff-words.ts'
import type { TableDiff } from '../../../lib/core/text/diff/table-rows.ts'
import { visible } from '../components/visible.ts'
import { type Child, el } from '../dom.ts'

/** `folded`: characters that a card leaves out after the text. */
export type ShownPart = DiffPart & { folded?: number }

type ShownHunk = Omit<TextHunk, 'parts'> & { parts: readonly ShownPart[] }

type HunkOptions = {
  /** Prefixes the ids of what can be opened. */
  id: string
  /** Before and after the hunk. */
  above?: Child
  below?: Child
  /** A box with an id, which the hunk's place becomes the label of. */
  checkbox?: HTMLInputElement | undefined
  /** Whether it stands without the line that names its place. */
  placeless?: boolean
}

/** Hunks that are open, and lines of each; the others are one press away. And unchanged lines on each side of one. */
type OpenLimits = { hunks: number; lines: number; context: number }

const usual: OpenLimits = { hunks: 6, lines: 24, context: Number.POSITIVE_INFINITY }

/** All hunks in order. `id` prefixes the id of the fold. */
export function renderHunks<Hunk extends ShownHunk>(
  hunks: readonly Hunk[],
  id: string,
  optionsOf: (hunk: Hunk, index: number) => HunkOptions,
  limits = usual,
): Child {
  const rendered = hunks.map((hunk, index) => renderHunk(hunk, optionsOf(hunk, index), limits))
  const rest = rendered.slice(limits.hunks)
  return [
    rendered.slice(0, limits.hunks),
    rest.length > 0 &&
      el(
        'details',
        { class: 'diff-rest', id: `${id}-rest` },
        el(
          'summary',
          {},
          `${plural(rest.length, 'more change')} (${describeCounts(sumWords(hunks.slice(limits.hunks)))})`,
        ),
        rest,
      ),
  ]
}

function renderHunk(
  hunk: ShownHunk,
  { id, above, below, checkbox, placeless = false }: HunkOptions,
  limits: OpenLimits,
): HTMLElement {
  const place = [...hunk.heading_path, `line ${hunk.lines.after.start}`].join(' › ')
  return el(
    'section',
    { class: ['diff-hunk', `hunk-${hunk.kind.replace('_', '-')}`], role: 'group', 'aria-label': place },
    above,
    !placeless &&
      el(
        'header',
        { class: 'diff-place' },
        checkbox,
        el(checkbox ? 'label' : 'span', checkbox ? { for: checkbox.id } : {}, visible(place)),
        el('span', { class: 'diff-counts' }, describeCounts(hunk.counts)),
      ),
    hunk.table ? renderTable(hunk.table) : renderLines(hunk, id, limits),
    below,
  )
}

function renderLines({ context, parts }: ShownHunk, id: string, limits: OpenLimits): HTMLElement {
  const [open, folded] = splitParts(parts, limits.lines)
  return el(
    'div',
    { class: 'diff-text', dir: 'auto' },
    contextLines(context.above.slice(-limits.context), '\n', ''),
    open.map(renderPart),
    folded.length > 0 &&
      el(
        'details',
        { class: 'diff-fold', id: `${id}-fold` },
        el('summary', {}, `Show ${plural(linesIn(folded), 'more line')}`),
        folded.map(renderPart),
      ),
    contextLines(context.below.slice(0, limits.context), '', endsLine(parts) ? '' : '\n'),
  )
}

const endsLine = (parts: readonly ShownPart[]) => parts.at(-1)?.text.endsWith('\n') ?? true

function contextLines(lines: readonly string[], after: string, before: string): Child {
  return (
    lines.some((line) => line !== '') &&
    el('span', { class: 'diff-same' }, visible(`${before}${lines.join('\n')}${after}`))
  )
}

/** The words that go and those that come. */
export const renderParts = (parts: readonly ShownPart[]): Child => parts.map(renderPart)

function renderPart({ kind, text, folded = 0 }: ShownPart): Child {
  const more = folded > 0 && el('span', { class: 'diff-gap' }, ` … ${plural(folded, 'character')} not shown`)
  if (kind === 'same') return [visible(text), more]
  return el(kind === 'removed' ? 'del' : 'ins', {}, visible(text), more)
}

/** The parts up to so many line breaks, and the rest; a part is cut at the end of a line. */
export function splitParts(parts: readonly ShownPart[], lines: number): [ShownPart[], ShownPart[]] {
  let budget = lines
  for (const [index, part] of parts.entries()) {
    const breaks = part.text.split('\n').length - 1
    if (breaks <= budget) {
      budget -= breaks
      continue
    }
    const cut = endOfLine(part.text, budget)
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

const linesIn = (parts: readonly ShownPart[]) =>
  parts.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0) || 1

type Words = Pick<DiffCounts, 'words_added' | 'words_removed'>

function sumWords(hunks: readonly ShownHunk[]): Words {
  const sum = { words_added: 0, words_removed: 0 }
  for (const { counts } of hunks) {
    sum.words_added += counts.words_added
    sum.words_removed += counts.words_removed
  }
  return sum
}

/** "+12 −3 words". */
export function describeCounts({ words_added: added, words_removed: removed }: Words): string {
  if (added + removed === 0) return 'no words'
  const signs = [added > 0 && `+${grouped(added)}`, removed > 0 && `−${grouped(removed)}`]
    .filter(Boolean)
    .join(' ')
  return `${signs} ${added + removed === 1 ? 'word' : 'words'}`
}

/** "1 line", "1,200 lines". */
export const plural = (count: number, noun: string) => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`

const grouped = (count: number) => count.toLocaleString('en')

/** The rows of a table that change, cell by cell. */
export function renderTable({ columns, rows }: TableDiff): HTMLElement {
  return el(
    'div',
    { class: 'diff-table', role: 'region', 'aria-label': 'Rows that change', tabindex: 0 },
    el(
      'table',
      {},
      columns.length > 0 &&
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            columns.map((column) => el('th', { scope: 'col' }, visible(column))),
          ),
        ),
      el(
        'tbody',
        {},
        rows.map(({ kind, cells }) =>
          el(
            'tr',
            { class: `row-${kind}` },
            cells.map((cell) => el('td', {}, renderCell(cell))),
          ),
        ),
      ),
    ),
  )
}

function renderCell({ before, after }: TableDiff['rows'][number]['cells'][number]): Child {
  if (before === after) return visible(after ?? '')
  return [
    before !== null && el('del', {}, visible(before)),
    before && after && ' ',
    after !== null && el('ins', {}, visible(after)),
  ]
}
