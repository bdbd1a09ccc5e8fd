// Notes and clipped pages. The client chooses the id, so that a repeated request does not create a second entity.

import type { z } from 'zod'
import type { EntityWrite } from '../../content/writes/store-entity.ts'
import type { Writer } from '../../content/writes/write.ts'
import { type EntityRow, textOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Capture } from '../../contract/space/notes.ts'
import type { Actor } from '../../core/actor.ts'
import { conflict } from '../../core/errors.ts'
import { splitNote } from '../../core/text/split-note.ts'
import { isUniqueViolation } from '../../db/pg-errors.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import { createAuditRepo } from '../../db/repos/audit.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createParser } from '../import/parse/parser.ts'
import { SkippedFile } from '../vault/paths.ts'

type CaptureDeps = { database: Database; kinds: Kinds; writer: Writer }

/**
 * Creates the captured entity, or returns the one created earlier under the same id, even from the trash. Throws 409
 * `id_taken` if the id belongs to an entity of another Space, or of a kind that is not captured.
 */
export async function storeCapture(
  { database, kinds, writer }: CaptureDeps,
  actor: Actor,
  { space_id, id, capture }: { space_id: string; id: string; capture: z.output<typeof Capture> },
): Promise<{ row: EntityRow; created: boolean }> {
  const existing = await findCaptured(database, kinds, { space_id, id })
  if (existing) return { row: existing, created: false }

  const content = await contentOf(capture)
  const storing = database.transaction(async (tx) => {
    // Every writer takes this lock, so that no other request creates it meanwhile.
    await createAuditRepo(tx).lock()
    const row = await findCaptured(tx, kinds, { space_id, id })
    if (row) return { row, created: false }
    if (await createEntitiesRepo(tx).isTaken(kinds.all, id)) throw idTaken(id)
    const write = { action: 'create', type: capture.kind, space_id, id, ...content } as const
    return { row: await writer.write(tx, write, { actor }), created: true }
  })
  return await storing.catch((error: unknown) => {
    // By a request to another Space, meanwhile.
    throw isUniqueViolation(error, `${kinds.get(capture.kind).table}_pkey`) ? idTaken(id) : error
  })
}

const idTaken = (id: string) => conflict('id_taken', `The id ${id} is in use. Send the note with a new id.`)

const capturedKinds = ['page', 'task', 'ref'] as const

async function findCaptured(
  db: Queryable,
  kinds: Kinds,
  { space_id, id }: { space_id: string; id: string },
): Promise<EntityRow | null> {
  for (const name of capturedKinds) {
    const row = await createEntitiesRepo(db).findWithinSpaces(kinds.get(name), null, id)
    if (row?.space_id === space_id) return row
    if (row) throw idTaken(id)
  }
  return null
}

type Content = Pick<Extract<EntityWrite, { action: 'create' }>, 'fields' | 'origin'>

async function contentOf(capture: z.output<typeof Capture>): Promise<Content> {
  switch (capture.kind) {
    case 'page':
      return { fields: splitNote(capture.text) }
    case 'task': {
      const { kind: _, text, ...fields } = capture
      return { fields: { ...fields, ...splitNote(text) } }
    }
    case 'ref': {
      const { title, url, text, html } = capture
      const clipped = html === undefined ? '' : await readClip(html)
      const body = [text.trim(), clipped].filter(Boolean).join('\n\n')
      return { fields: { title, url, body }, origin: 'web' }
    }
  }
}

/** The article of a web page as Markdown, read in a thread with limits, as in an import; empty if there is none. */
async function readClip(html: string): Promise<string> {
  const parser = createParser({ timeoutMs: 20_000, heapMb: 256, growthMb: 512 })
  try {
    const { fields } = await parser.parseFile('.html', { path: 'clip.html', bytes: Buffer.from(html) })
    return textOf(fields.body).trim()
  } catch (error) {
    if (error instanceof SkippedFile) return ''
    throw error
  } finally {
    await parser.close()
  }
}
