// Links follow a rename: whoever renames an entity through the one write path also turns the links to it, each text as a
// version of its own with an audit row, in the same transaction. To undo the rename is to rename it back, so one undo turns
// the links back, too. An import is left out: the links of its files are as it brings them.

import { type EntityRow, type Kind, textOf, titleOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Actor } from '../../core/actor.ts'
import { normalizeName } from '../../core/text/normalize-name.ts'
import { addAlias } from '../../core/text/properties/read-properties.ts'
import type { HeldRenames, NamedLinks, Tx } from '../../db/pool.ts'
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
 * gives a text another version than the draft beside it was made for, and renames that pass a name on turn each link once.
 */
export async function holdRenames<Result>(tx: Tx, apply: () => Promise<Result>): Promise<Result> {
  const held = noRenames()
  tx.heldRenames = held
  try {
    const result = await apply()
    await held.follow()
    return result
  } finally {
    tx.heldRenames = null
  }
}

const noRenames = (): HeldRenames => ({ names: new Map(), renamed: new Map(), follow: async () => {} })

/** The same write, after which links follow what it renamed. */
export function followRenames(writeOne: Write, kinds: Kinds): Write {
  return async (tx, write, context) => {
    const given = 'fields' in write ? write.fields.title : undefined
    if (given === undefined || context.actor.kind === 'system') return await writeOne(tx, write, context)
    const { space_id, type } = write
    const kind = kinds.get(type)
    await createAuditRepo(tx).lock()
    const renames = tx.heldRenames ?? noRenames()
    // Before the write: after it, links by both names may lead elsewhere.
    if (tx.heldRenames) await noteLinks(tx, renames, space_id, normalizeName(String(given)))
    if (write.action !== 'update' || kind.internal) return await writeOne(tx, write, context)
    const { id } = write
    const before = await createEntitiesRepo(tx).find(kind, space_id, id)
    if (before) await noteLinks(tx, renames, space_id, normalizeName(titleOf(before)))
    renames.renamed.set(id, { space_id, type })
    if (context.undoes) {
      const { seq, since } = context.undoes
      renames.undoes = Math.min(since ?? seq, renames.undoes ?? seq)
    }
    const row = await writeOne(tx, write, context)
    if (!tx.heldRenames) return (await turnLinks(tx, context.actor, renames)).get(id) ?? row
    renames.follow = () => turnLinks(tx, context.actor, renames)
    return row
  }

  /** Turns the links by names that led to what was renamed; the texts that it rewrote, by id. */
  async function turnLinks(tx: Tx, actor: Actor, renames: HeldRenames): Promise<Map<string, EntityRow>> {
    const links = createLinksRepo(tx)
    const moves = await listMoves(tx, kinds, renames)
    const incomplete = new Set<Move>(
      moves.filter(({ isOwn, linking }) => !isOwn || linking.length > maxRewritten),
    )
    const rewritten = new Map<string, EntityRow>()
    let room = maxCharacters * moves.length
    for (const { type, space_id, id, moves: ofText } of textsOf(moves)) {
      const kind = kinds.get(type)
      const linked = await createEntitiesRepo(tx).lock(kind, space_id, id)
      if (!linked || linked.deleted_at !== null) continue
      const { undoes } = renames
      if (undoes !== undefined && !(await createAuditRepo(tx).hasChangedSince(space_id, id, undoes))) continue
      const text = textOf(linked[kind.bodyField])
      room -= text.length
      const names = new Map(ofText.map(({ name, row }) => [name, titleOf(row)]))
      const { text: next, left } = renameLinks(text, names)
      const isTurned = room >= 0 && next !== text && mayHold(kind, next)
      for (const move of ofText) if (!isTurned || left.includes(move.name)) incomplete.add(move)
      if (!isTurned) continue
      const fields = { [kind.bodyField]: next }
      rewritten.set(id, await writeOne(tx, { ...toUpdate(kind, linked), fields }, { actor }))
    }
    for (const { name, place } of incomplete) await links.keepName(place, name)
    return rewritten
  }
}

/** The links by a name as they are now, unless an earlier one of these renames has looked. */
async function noteLinks(tx: Tx, { names }: HeldRenames, space_id: string, name: string): Promise<void> {
  const key = `${space_id} ${name}`
  if (name === '' || names.has(key)) return
  const linking = await createLinksRepo(tx).listLinkingBy(space_id, name, maxRewritten + 1)
  names.set(key, { space_id, name, linking })
}

/** A name by which links led to what has another title now. */
type Move = NamedLinks & {
  row: EntityRow
  place: { space_id: string; entity_type: string; entity_id: string }
  /** Not where another entity answers to the new name: turned links would lead to that one. */
  isOwn: boolean
}

async function listMoves(tx: Tx, kinds: Kinds, { names, renamed }: HeldRenames): Promise<Move[]> {
  const moves: Move[] = []
  for (const { space_id, name, linking } of names.values()) {
    // All links by one name lead to one entity.
    const id = linking[0]?.to_id
    const entity = id === undefined ? undefined : renamed.get(id)
    if (id === undefined || !entity) continue
    const row = await createEntitiesRepo(tx).find(kinds.get(entity.type), space_id, id)
    const title = row ? normalizeName(titleOf(row)) : name
    if (!row || title === name) continue
    const target = await createLinksRepo(tx).resolve(space_id, title)
    const place = { space_id, entity_type: entity.type, entity_id: id }
    moves.push({ space_id, name, linking, row, place, isOwn: target?.entity_id === id })
  }
  return moves
}

type LinkedText = { type: string; space_id: string; id: string; moves: Move[] }

/** Each text with the names that are turned in it. */
function textsOf(moves: readonly Move[]): Iterable<LinkedText> {
  const texts = new Map<string, LinkedText>()
  for (const move of moves) {
    if (!move.isOwn) continue
    for (const { entity_type: type, entity_id: id } of move.linking.slice(0, maxRewritten)) {
      const text = texts.get(id) ?? { type, space_id: move.space_id, id, moves: [] }
      text.moves.push(move)
      texts.set(id, text)
    }
  }
  return texts.values()
}

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
