import { type Figure, isHeld } from './measurement.ts'

/** A table: what, the value, the baseline, their ratio, and whether a promise is held. */
export function formatFigures(figures: readonly Figure[]): string {
  const rows = [['', 'Void', 'baseline', 'ratio', ''], ...figures.map(toRow)]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) => `  ${row.map((cell, i) => pad(cell, widths[i]!, i)).join('  ')}`.trimEnd())
    .join('\n')
}

function toRow(figure: Figure): string[] {
  const { name, value, unit, baseline, bound } = figure
  const held = isHeld(figure) ? 'held' : 'NOT held'
  return [
    name,
    `${round(value)} ${unit}`,
    baseline === undefined ? '' : `${round(baseline)} ${unit}`,
    baseline === undefined ? '' : `${round(value / baseline)}×`,
    bound ? `${held}: ${bound.kind} ${round(bound.value)} ${unit}` : '',
  ]
}

const pad = (cell: string, width: number, column: number) =>
  column === 0 || column === 4 ? cell.padEnd(width) : cell.padStart(width)

/** Three digits that count. */
const round = (value: number) =>
  Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2)
