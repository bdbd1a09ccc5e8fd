import type { TableDiff } from '../../../lib/text/diff/table-rows.ts'
import { visible } from '../components/visible.ts'
import { type Child, el } from '../dom.ts'

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
