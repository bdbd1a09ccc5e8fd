// Links follow a rename: whoever renames an entity through the one write path also turns the links to it, each text as a
// version of its own with an audit row, in the same transaction. To undo the rename is to rename it back, so one undo turns
// the links back, too. An import is left out: the links of its files are as it brings them.

import { type EntityRow, type Kind, textOf, titleOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Actor } from '../../core/actor.ts'
import { normalizeName } from '../../core/text/normalize-name.ts'
import { addAlias } from '../../core/text/properties/read-properties.ts'
import type { Tx } from '../../db/pool.ts'
import { createAuditRepo } from '../../db/repos/audit.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createLinksRepo } from '../../db/repos/links.ts'
import { renameLinks } from '../links/rename-links.ts'
import type { Write } from './store-entity.ts'

/** Texts that one rename rewrites, and their characters; the old name leads to the entity from all others. */
const maxRewritten = 500
const maxCharacters = 10_000_000

/**
 * Applies changes of one transaction that belong together: links follow once all of them are applied, so that no rename
 * gives a text another version than the draft beside it was made for.
 */
export async function holdRenames<Result>(tx: Tx, apply: () => Promise<Result>): Promise<Result> {
  const held: NonNullable<Tx['heldRenames']> = []
  tx.heldRenames = held
  try {
    const result = await apply()
    for (const follow of held) await follow()
    return result
  } finally {
    tx.heldRenames = null
  }
}

/** The same write, after which links follow what it renamed. */
export function followRenames(writeOne: Write, kinds: Kinds): Write {
  return async (tx, write, context) => {
    const isRename = write.action === 'update' && Object.hasOwn(write.fields, 'title')
    if (!isRename || context.actor.kind === 'system') return await writeOne(tx, write, context)
    const { space_id, id, type } = write
    const kind = kinds.get(type)
    await createAuditRepo(tx).lock()
    const before = await createEntitiesRepo(tx).find(kind, space_id, id)
    const from = before && !kind.internal ? normalizeName(titleOf(before)) : ''
    const place = { space_id, entity_type: type, entity_id: id }
    // Before the write: after it they lead elsewhere.
    const linking = from === '' ? [] : await createLinksRepo(tx).listLinkingBy(place, from, maxRewritten + 1)
    const row = await writeOne(tx, write, context)
    if (linking.length === 0 || normalizeName(titleOf(row)) === from) return row
    const follow = async () => {
      const { isComplete, newest } = await rewriteLinks(tx, context.actor, { row, from, linking })
      if (!isComplete) await createLinksRepo(tx).keepName(place, from)
      return newest
    }
    if (!tx.heldRenames) return await follow()
    tx.heldRenames.push(follow)
    return row
  }

  /** `newest`: the renamed row, also where a link in its own text was turned. */
  async function rewriteLinks(tx: Tx, actor: Actor, { row, from, linking }: Rename): Promise<Rewritten> {
    const target = await createLinksRepo(tx).resolve(row.space_id, normalizeName(titleOf(row)))
    // Another entity answers to the new name: turned links would lead to that one.
    if (target?.entity_id !== row.id) return { isComplete: false, newest: row }
    let isComplete = linking.length <= maxRewritten
    let room = maxCharacters
    let newest = row
    for (const { entity_type, entity_id } of linking.slice(0, maxRewritten)) {
      const kind = kinds.get(entity_type)
      const linked = await createEntitiesRepo(tx).lock(kind, row.space_id, entity_id)
      if (!linked || linked.deleted_at !== null) continue
      const text = textOf(linked[kind.bodyField])
      room -= text.length
      const { text: next, left } = renameLinks(text, { from, to: titleOf(row) })
      const isTurned = room >= 0 && next !== text && mayHold(kind, next)
      if (left > 0 || !isTurned) isComplete = false
      if (!isTurned) continue
      const fields = { [kind.bodyField]: next }
      const written = await writeOne(tx, { ...toUpdate(kind, linked), fields }, { actor })
      if (written.id === row.id) newest = written
    }
    return { isComplete, newest }
  }
}

type Rename = {
  /** As it is after the rename. */
  row: EntityRow
  from: string
  linking: readonly { entity_type: string; entity_id: string }[]
}

/** `isComplete`: no link by the old name is left. */
type Rewritten = { isComplete: boolean; newest: EntityRow }

const toUpdate = ({ type }: Kind, { space_id, id, version }: EntityRow) =>
  ({ action: 'update', type, space_id, id, version }) as const

/** Not in a text that never changes, and not beyond its length. */
function mayHold(kind: Kind, text: string): boolean {
  if (kind.fixed.includes(kind.bodyField)) return false
  return kind.fields.shape[kind.bodyField]?.safeParse(text).success ?? false
}

/** The fields of an update that changes a title, with the old title as an alias in the text. */
export function withOldTitle(
  kind: Kind,
  row: EntityRow,
  fields: Record<string, unknown>,
): Record<string, unknown> {
  const old = titleOf(row)
  if (fields.title === undefined || fields.title === old) return fields
  const text = textOf(fields[kind.bodyField] ?? row[kind.bodyField])
  return { ...fields, [kind.bodyField]: addAlias(text, old) }
}
