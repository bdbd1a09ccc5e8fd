import { type Figure, isHeld } from './measurement.ts'

/** A table: what, the value, the baseline, others, each with its ratio to the baseline, and whether a promise is held. */
export function formatFigures(figures: readonly Figure[]): string {
  const others = [...new Set(figures.flatMap((figure) => Object.keys(figure.others ?? {})))]
  const head = ['', 'Void', 'baseline', 'ratio', ...others.flatMap((name) => [name, 'ratio']), '']
  const rows = [head, ...figures.map((figure) => toRow(figure, others))]
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const isText = (column: number) => column === 0 || column === head.length - 1
  const pad = (cell: string, column: number) =>
    isText(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)
  return rows.map((row) => `  ${row.map(pad).join('  ')}`.trimEnd()).join('\n')
}

function toRow(figure: Figure, others: readonly string[]): string[] {
  const { name, value, unit, baseline, bound } = figure
  const held = isHeld(figure) ? 'held' : 'NOT held'
  const amount = (of: number | undefined) => (of === undefined ? '' : `${round(of)} ${unit}`)
  const ratio = (of: number | undefined) =>
    of === undefined || baseline === undefined ? '' : `${round(of / baseline)}×`
  const beside = others.map((other) => figure.others?.[other])
  return [
    name,
    amount(value),
    amount(baseline),
    ratio(value),
    ...beside.flatMap((of) => [amount(of), ratio(of)]),
    bound ? `${held}: ${bound.kind} ${round(bound.value)} ${unit}` : '',
  ]
}

/** Three digits that count. */
const round = (value: number) =>
  Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2)
