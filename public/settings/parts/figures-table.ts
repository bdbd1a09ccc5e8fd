import { type Child, el } from '../../ui/dom.ts'

/** A table of figures that scrolls in itself; the first cell of a row names it. */
export const renderFigures = (
  label: string,
  heads: readonly string[],
  rows: readonly (readonly [name: Child, ...cells: Child[]])[],
): HTMLElement =>
  el(
    'div',
    { class: 'usage-scroll', tabindex: 0, role: 'region', 'aria-label': label },
    el(
      'table',
      { class: 'figures usage-table' },
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          heads.map((head) => el('th', { scope: 'col' }, head)),
        ),
      ),
      el(
        'tbody',
        {},
        rows.map(([name, ...cells]) =>
          el(
            'tr',
            {},
            el('th', { scope: 'row' }, name),
            cells.map((cell) => el('td', {}, cell)),
          ),
        ),
      ),
    ),
  )
