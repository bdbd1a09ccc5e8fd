import type { Database, Queryable } from '../db/pool.ts'
import { type Analysis, everyPassage, type RemovedChunk } from '../db/repos/chunks.ts'
import { cutDocument, indexRange, type SearchDocument } from './index-document.ts'

/** Passages of one transaction: about 50 ms. */
const passagesPerPart = 20

export type PartsOptions = {
  document: SearchDocument
  analysis: Analysis
  /** Whether the document is still what is stored, which stays so until the transaction ends. */
  isCurrent: (tx: Queryable) => Promise<boolean>
  onRemoved: (removed: readonly RemovedChunk[]) => void
}

/**
 * As `indexDocument`, a few passages a transaction, so that others come in between. The first passage, which says what
 * an entity is indexed by, comes last. False when the document changed meanwhile: it is to be begun anew. Throws a 507
 * once the disk is full.
 */
export async function indexInParts(database: Database, options: PartsOptions): Promise<boolean> {
  const { document, analysis, isCurrent, onRemoved } = options
  const cut = cutDocument(document)
  let to = everyPassage.to
  for (let from = cut.passages.length; to > 0; from -= passagesPerPart) {
    await database.checkRoom()
    const range = { from: Math.max(0, from), to }
    const removed = await database.transaction(async (tx) =>
      (await isCurrent(tx)) ? await indexRange(tx, cut, range, analysis) : null,
    )
    if (removed === null) return false
    onRemoved(removed)
    to = range.from
  }
  return true
}
