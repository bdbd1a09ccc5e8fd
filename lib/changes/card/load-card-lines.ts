import type { CardLine } from '../../contract/changes/card.ts'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Queryable } from '../../db/pool.ts'
import { loadLineInputs } from './load-line-inputs.ts'
import { makeCardLine } from './make-card-line.ts'

/** The lines of changes of any Spaces, in their order. However many there are, the statements are as many. */
export async function loadCardLines(
  db: Queryable,
  kinds: Kinds,
  changes: readonly PendingChange[],
): Promise<CardLine[]> {
  const inputs = await loadLineInputs(db, kinds, changes, { text: false })
  return inputs.map(makeCardLine)
}
