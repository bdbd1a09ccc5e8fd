// Links that lead nowhere, or elsewhere, since what they led to was moved by somebody who did not turn them.

import { type EntityRow, textOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Tx } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createLinksRepo, type LinkRow } from '../../db/repos/links.ts'
import { linkKey, noRenames } from './follow-renames.ts'
import { respell } from './respell.ts'

/** The pages with such links, each with its text as it would lead again. `before`: the links as they led. Writes nothing. */
export async function respellBroken(
  tx: Tx,
  kinds: Kinds,
  space_id: string,
  before: readonly LinkRow[],
): Promise<{ row: EntityRow; text: string }[]> {
  const led = before.filter(({ from_type, to_id }) => from_type === 'page' && to_id !== null)
  const ids = [...new Set(led.map(({ from_id }) => from_id))]
  const now = new Map(
    (await createLinksRepo(tx).listRows(space_id, ids, 'from')).map((row) => [linkKey(row), row]),
  )
  const broken = led.filter((link) => {
    const current = now.get(linkKey(link))
    return current !== undefined && current.to_id !== link.to_id
  })
  const respelled: { row: EntityRow; text: string }[] = []
  for (const [id, links] of Map.groupBy(broken, ({ from_id }) => from_id)) {
    const row = await createEntitiesRepo(tx).find(kinds.get('page'), space_id, id)
    if (!row) continue
    const text = textOf(row.body)
    const { next } = await respell(tx, kinds, { row, text, links, renames: noRenames() })
    if (next !== text) respelled.push({ row, text: next })
  }
  return respelled
}
