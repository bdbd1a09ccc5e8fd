import { align } from './align.ts'

/** The cells of both sides; `null` where a side has none. */
type Cell = { before: string | null; after: string | null }

export type TableDiff = {
  /** The cells of the header row; empty when the table has none above. */
  columns: string[]
  rows: { kind: 'changed' | 'added' | 'removed'; cells: Cell[] }[]
}

type Row = TableDiff['rows'][number]

/**
 * The rows that change, both sides of each cell verbatim, with their white space. Rows are paired by their first cell,
 * and within a range without a match in order. Lines have no line breaks.
 */
export function diffRows(before: readonly string[], after: readonly string[]): Row[] {
  const old = before.map(splitCells)
  const fresh = after.map(splitCells)
  if (old.length === fresh.length) return old.map((cells, row) => changedRow(cells, fresh[row]!))

  const rows: Row[] = []
  const key = (cells: string[]) => (cells[0] ?? '').trim()
  let left = 0
  let right = 0
  const flush = (leftEnd: number, rightEnd: number) => {
    while (left < leftEnd && right < rightEnd) rows.push(changedRow(old[left++]!, fresh[right++]!))
    while (left < leftEnd) rows.push(oneSidedRow('removed', old[left++]!))
    while (right < rightEnd) rows.push(oneSidedRow('added', fresh[right++]!))
  }
  for (const change of align(old.map(key), fresh.map(key))) {
    flush(change.before.start, change.after.start)
    flush(change.before.end, change.after.end)
  }
  flush(old.length, fresh.length)
  return rows
}

/** The trimmed cells of a header row. */
export const tableColumns = (line: string): string[] => splitCells(line).map((cell) => cell.trim())

/** Splits at every unescaped bar; the empty text before the first and after the last bar is no cell. */
function splitCells(line: string): string[] {
  const cells = line.split(/(?<!\\)\|/)
  if (cells.length > 1 && cells[0]!.trim() === '') cells.shift()
  if (cells.length > 1 && cells.at(-1)!.trim() === '') cells.pop()
  return cells
}

function changedRow(before: readonly string[], after: readonly string[]): Row {
  const length = Math.max(before.length, after.length)
  const cells = Array.from({ length }, (_, index) => ({
    before: before[index] ?? null,
    after: after[index] ?? null,
  }))
  return { kind: 'changed', cells }
}

const oneSidedRow = (kind: 'added' | 'removed', cells: readonly string[]): Row => ({
  kind,
  cells: cells.map((cell) => ({
    before: kind === 'removed' ? cell : null,
    after: kind === 'added' ? cell : null,
  })),
})
