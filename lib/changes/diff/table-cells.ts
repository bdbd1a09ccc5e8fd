import type { TableChange } from '../../contract/card.ts'
import { align } from './align.ts'

/**
 * The rows that change, with both sides of each cell as it stands there, white space and all. Rows are paired by their
 * first cell, and where that fails in their order. Lines carry no line breaks.
 */
export function tableRows(before: readonly string[], after: readonly string[]): TableChange['rows'] {
  const old = before.map(cellsOf)
  const fresh = after.map(cellsOf)
  if (old.length === fresh.length) return old.map((cells, row) => changed(cells, fresh[row]!))

  const rows: TableChange['rows'] = []
  const key = (cells: string[]) => (cells[0] ?? '').trim()
  let left = 0
  let right = 0
  const flush = (leftEnd: number, rightEnd: number) => {
    while (left < leftEnd && right < rightEnd) rows.push(changed(old[left++]!, fresh[right++]!))
    while (left < leftEnd) rows.push(one('removed', old[left++]!))
    while (right < rightEnd) rows.push(one('added', fresh[right++]!))
  }
  for (const change of align(old.map(key), fresh.map(key))) {
    flush(change.before.start, change.after.start)
    flush(change.before.end, change.after.end)
  }
  flush(old.length, fresh.length)
  return rows
}

/** The trimmed cells of a header row. */
export const tableColumns = (line: string): string[] => cellsOf(line).map((cell) => cell.trim())

/** Split at every bar that is not escaped; what stands outside the first and last bar is no cell when it is empty. */
function cellsOf(line: string): string[] {
  const cells = line.split(/(?<!\\)\|/)
  if (cells.length > 1 && cells[0]!.trim() === '') cells.shift()
  if (cells.length > 1 && cells.at(-1)!.trim() === '') cells.pop()
  return cells
}

function changed(before: readonly string[], after: readonly string[]): TableChange['rows'][number] {
  const length = Math.max(before.length, after.length)
  const cells = Array.from({ length }, (_, index) => ({
    before: before[index] ?? null,
    after: after[index] ?? null,
  }))
  return { kind: 'changed', cells }
}

const one = (kind: 'added' | 'removed', cells: readonly string[]): TableChange['rows'][number] => ({
  kind,
  cells: cells.map((cell) => ({
    before: kind === 'removed' ? cell : null,
    after: kind === 'added' ? cell : null,
  })),
})
