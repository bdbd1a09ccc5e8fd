// Changes that show at once and are sent behind. Changes of one thing are sent one after the other, each with the
// version that the one before it made. One whose answer was lost may have been made: the next says so with its id, and
// learns from the server whether it was.

import type { Api } from './api.ts'
import { createSaveId, isAnswerLost, refusalOf } from './saves.ts'

export type Versioned = { id: string; version: number }

export type Writes<Row extends Versioned> = {
  /** Shows the change, then sends it. Settles when it is saved or has failed; never rejects. */
  change(row: Row, fields: Partial<Row>): Promise<void>
  /** Resolves once the changes of that row are saved or have failed: its version is that of the server then. */
  settled(id: string): Promise<void>
  /** Whether something is on its way. */
  busy(): boolean
}

export type WriteOptions<Row extends Versioned> = {
  api: Pick<Api, 'patch'>
  /** Where a row is changed. */
  path: (id: string) => string
  /** The fields as they are sent. Default: as they are. */
  toSent?: (fields: Partial<Row>) => object
  /** Shows a row: first as it is wished for, then as the server has it. */
  show: (row: Row) => void
  /** The change was not saved; `before` is the row to show again. Later changes of the same row are dropped. */
  onFailure: (failure: { error: unknown; before: Row; fields: Partial<Row> }) => void
  /** Everything has settled. */
  onIdle?: () => void
}

type Line<Row> = { visible: Row; saved: Row; waiting: number; failed: boolean; tail: Promise<void> }

/** A change that may have been made. `fields`: null where it is one of several. */
type LostChange<Row> = { save_id: string; version: number; fields: Partial<Row> | null }

export function createWrites<Row extends Versioned>(options: WriteOptions<Row>): Writes<Row> {
  const { show, onFailure, onIdle = () => {} } = options
  const patch = createPatch(options)
  const lines = new Map<string, Line<Row>>()

  return {
    busy: () => lines.size > 0,
    settled: async (id) => await lines.get(id)?.tail,

    change(row, fields) {
      const line = lines.get(row.id) ?? open(row)
      line.visible = { ...line.visible, ...fields }
      line.waiting += 1
      show(line.visible)
      line.tail = line.tail.then(() => send(line, fields))
      return line.tail
    },
  }

  function open(row: Row): Line<Row> {
    const line = { visible: row, saved: row, waiting: 0, failed: false, tail: Promise.resolve() }
    lines.set(row.id, line)
    return line
  }

  async function send(line: Line<Row>, fields: Partial<Row>): Promise<void> {
    const { saved } = line
    if (!line.failed) {
      try {
        line.saved = await patch(saved, fields)
      } catch (error) {
        line.failed = true
        onFailure({ error, before: saved, fields })
      }
    }
    line.waiting -= 1
    if (line.waiting > 0) return
    lines.delete(saved.id)
    if (!line.failed) show(line.saved)
    if (lines.size === 0) onIdle()
  }
}

/** Sends a change on top of a row. Throws what the server answers, but for a change of one's own. */
function createPatch<Row extends Versioned>({
  api,
  path,
  toSent = (fields) => fields,
}: WriteOptions<Row>): (row: Row, fields: Partial<Row>) => Promise<Row> {
  const lostChanges = new Map<string, LostChange<Row>>()

  return async function patch(row, fields) {
    const lost = lostChanges.get(row.id)
    const { save_id, version } = lost ?? { save_id: createSaveId(), version: row.version }
    const isSame = lost === undefined || JSON.stringify(lost.fields) === JSON.stringify(fields)
    try {
      const saved = await api.patch<Row>(path(row.id), { ...toSent(fields), version, save_id })
      lostChanges.delete(row.id)
      return saved
    } catch (error) {
      if (isAnswerLost(error)) lostChanges.set(row.id, { save_id, version, fields: isSame ? fields : null })
      const refusal = refusalOf<Row>(error)
      if (!refusal) throw error
      lostChanges.delete(row.id)
      if (!lost) throw error
      const { current, saved } = refusal
      if (saved && isSame) return current
      // The lost change is the newest, or the one that was never made and `row` is newer.
      if (current.version === (saved ?? row).version) return await patch(current, fields)
      throw error
    }
  }
}
