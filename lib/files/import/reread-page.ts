// Reads the file of an imported page again, in another encoding than the one that was guessed.

import type { Writer } from '../../content/writes/write.ts'
import { maxBodyLength } from '../../contract/entities/fields.ts'
import { type EntityRow, textOf, titleOf } from '../../contract/entities/kind.ts'
import type { Actor } from '../../core/actor.ts'
import { conflict, invalid } from '../../core/errors.ts'
import { cleanText } from '../../core/text/clean.ts'
import type { Database } from '../../db/pool.ts'
import { createAuditRepo } from '../../db/repos/audit.ts'
import { createImportFilesRepo } from '../../db/repos/import_files.ts'
import { createPageTreeRepo } from '../../db/repos/page_tree.ts'
import { asTitle } from '../vault/paths.ts'
import { textHash } from './batch/batch-context.ts'
import { titleIn } from './file/note-fields.ts'
import { noteText } from './file/note-text.ts'

type Reread = { page: EntityRow; version: number; encoding: string; actor: Actor }

/**
 * The page afterwards, as a version of its own. Throws `AppError`: 409 `not_guessed` for a page whose bytes are not kept or
 * whose text was edited, 400 for a text that no page holds, and the errors of `Writer.write`.
 */
export async function rereadPage(
  { database, writer }: { database: Database; writer: Writer },
  { page, version, encoding, actor }: Reread,
): Promise<EntityRow> {
  const { space_id, id } = page
  return await database.transaction(async (tx) => {
    await createAuditRepo(tx).lock()
    const guessed = await createPageTreeRepo(tx).findGuessed(space_id, id)
    if (!guessed) {
      throw conflict(
        'not_guessed',
        'The bytes of this page are not kept, or its text was edited since the import. Undo the edits first.',
      )
    }
    const body = noteText(cleanText(new TextDecoder(encoding).decode(guessed.bytes)))
    if (body.length > maxBodyLength) throw invalid(`encoding: the text would have ${body.length} characters.`)
    const write = { action: 'update', type: 'page', space_id, id, version } as const
    const fields = { body, ...titleAfter(page, body) }
    const row = await writer.write(tx, { ...write, fields }, { actor })
    await createImportFilesRepo(tx).keepBytes(row, {
      bytes: guessed.bytes,
      original_of: textHash(body),
      read_as: encoding,
    })
    return row
  })
}

/** The title that the text gives itself, where the page has that. */
function titleAfter(page: EntityRow, body: string): { title?: string } {
  const path = textOf(page.path)
  const before = titleIn(textOf(page.body), path)
  const after = titleIn(body, path)
  return before !== null && after !== null && asTitle(before) === titleOf(page)
    ? { title: asTitle(after) }
    : {}
}
