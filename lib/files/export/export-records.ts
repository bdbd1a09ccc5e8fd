// A Space's stored data except the bytes of originals, for JSON Lines.

import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Queryable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createExportRepo, recordTypes } from '../../db/repos/export.ts'
import { createSpacesRepo, type SpaceRow } from '../../db/repos/spaces.ts'

export type RecordExport = {
  database: Queryable
  kinds: Kinds
  space: SpaceRow
  /** Includes the trash. */
  trash: boolean
  /** Version of this Void. */
  version: string
  now: Date
}

type Line = { type: string; [field: string]: unknown }

/** Rows per read; they stay in memory until sent, and a text may be a megabyte. */
const rowsPerPage = 40
const attachmentsPerPage = 2

/** The lines' content, in order. The last line proves that nothing is missing. */
export async function* exportRecords(options: RecordExport): AsyncGenerator<Line> {
  const { database, kinds, space, trash, version, now } = options
  const { deleted_at, ...row } = space
  const details = await createSpacesRepo(database).findNamed(space.id)
  const record = { ...row, instructions: details?.instructions ?? '' }
  yield { type: 'export', format: 2, void: version, exported_at: now.toISOString(), trash, space: record }
  const counts: Record<string, number> = {}
  for (const { type } of kinds.all) counts[type] = 0
  for (const type of recordTypes) counts[type] = 0

  for (const part of [entityRows(options), recordRows(options)]) {
    for await (const row of part) {
      counts[row.type]! += 1
      yield row
    }
  }
  yield { type: 'end', counts }
}

/** Without the trash, rows omit the deletion time. */
async function* entityRows({ database, kinds, space, trash }: RecordExport): AsyncGenerator<Line> {
  const entities = createEntitiesRepo(database)
  for (const kind of kinds.all) {
    for (const deleted of trash ? [false, true] : [false]) {
      let before_id: string | null = null
      do {
        const filter = { space_id: space.id, status: null, deleted, before_id, limit: rowsPerPage }
        const rows = await entities.list(kind, filter)
        for (const { deleted_at, ...row } of rows)
          yield { type: kind.type, ...row, ...(trash ? { deleted_at } : {}) }
        before_id = rows.length === rowsPerPage ? rows.at(-1)!.id : null
      } while (before_id)
    }
  }
}

async function* recordRows({ database, space, trash }: RecordExport): AsyncGenerator<Line> {
  const records = createExportRepo(database)
  for (const type of recordTypes) {
    const limit = type === 'conversation_attachment' ? attachmentsPerPage : rowsPerPage
    let after: string | null = null
    do {
      const rows = await records.list(type, { space_id: space.id, trash, after, limit })
      for (const { key, ...row } of rows) yield { type, ...row }
      after = rows.length === limit ? rows.at(-1)!.key : null
    } while (after)
  }
}
