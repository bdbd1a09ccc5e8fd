// Links lead where they led: whoever renames or moves an entity through the one write path also rewrites the links to it,
// and those of what moved, each text as a version of its own with an audit row, in the same transaction. To undo the
// rename is to rename it back, so one undo turns the links back, too. An import is left out: the links of its files are as
// it brings them.

import { type EntityRow, type Kind, textOf, titleOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Actor } from '../../core/actor.ts'
import { leadsByPath } from '../../core/text/links/resolve-link.ts'
import { normalizeName } from '../../core/text/normalize-name.ts'
import { folderBelow, pathKey } from '../../core/text/paths.ts'
import { addAlias } from '../../core/text/properties/read-properties.ts'
import type { HeldRenames, Tx } from '../../db/pool.ts'
import { createAuditRepo } from '../../db/repos/audit.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createLinksRepo, type LinkRow } from '../../db/repos/links.ts'
import { createNamesRepo } from '../../db/repos/names.ts'
import { createLinkIndex } from '../links/link-index.ts'
import { isCanvas } from '../links/rewrite-canvas.ts'
import { moveBelow, pathOf, placeOf, takePath, unnumberedPath } from './place-entity.ts'
import { respell } from './respell.ts'
import type { Write } from './store-entity.ts'

/** Texts that one rename rewrites, and their characters; the old name leads to the entity from all others. */
const maxRewritten = 500
const maxCharacters = 10_000_000
/** What moves with a folder and has links that are looked at. */
const maxMoved = 5000

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

export const noRenames = (): HeldRenames => ({ links: new Map(), moved: new Map(), follow: async () => {} })

/** The same write, after which links follow what it renamed or moved. */
export function followRenames(writeOne: Write, kinds: Kinds): Write {
  return async (tx, write, context) => {
    const fields: Record<string, unknown> = 'fields' in write ? write.fields : {}
    const mayMove = ['title', 'path', 'parent_id'].some((name) => fields[name] !== undefined)
    if (!mayMove || context.actor.kind === 'system') return await writeOne(tx, write, context)
    const { space_id, type } = write
    const kind = kinds.get(type)
    await createAuditRepo(tx).lock()
    const renames = tx.heldRenames ?? noRenames()
    // Before the write: after it, links by the new name may lead elsewhere.
    if (tx.heldRenames && typeof fields.title === 'string')
      await noteSeeking(tx, renames, space_id, fields.title)
    if (write.action !== 'update' || kind.internal) return await writeOne(tx, write, context)
    const { id } = write
    const before = await createEntitiesRepo(tx).find(kind, space_id, id)
    if (before) await noteMoved(tx, renames, kind, before)
    if (context.undoes) {
      const { seq, since } = context.undoes
      renames.undoes = Math.min(since ?? seq, renames.undoes ?? seq)
    }
    const row = await writeOne(tx, write, context)
    const follow = () => keepLinks(tx, kinds, writeOne, context.actor, renames)
    if (!tx.heldRenames) return (await follow()).get(id) ?? row
    renames.follow = follow
    return row
  }
}

/** The links by a name as they are now. */
async function noteSeeking(tx: Tx, renames: HeldRenames, space_id: string, title: string): Promise<void> {
  const name = normalizeName(title)
  const last = name.slice(name.lastIndexOf('/') + 1)
  note(renames, await createLinksRepo(tx).listSeeking(space_id, [last]))
}

/** The entity and what lies in its folder, with the links to them and from them as they are now. */
async function noteMoved(tx: Tx, renames: HeldRenames, kind: Kind, row: EntityRow): Promise<void> {
  const { space_id, id } = row
  const path = pathOf(row)
  const within =
    path === null || kind.type !== 'page'
      ? []
      : await createNamesRepo(tx).listWithin(space_id, pathKey(folderBelow(path)))
  const moved = within
    .slice(0, maxMoved)
    .map(({ entity_type, entity_id, path }) => ({ type: entity_type, id: entity_id, path }))
  const all = [{ type: kind.type, id, path }, ...moved.filter((each) => each.id !== id)]
  for (const { path, ...each } of all) {
    if (renames.moved.has(each.id)) continue
    const title = each.id === id ? titleOf(row) : null
    renames.moved.set(each.id, { space_id, type: each.type, title, path })
  }
  note(
    renames,
    await createLinksRepo(tx).listRows(
      space_id,
      all.map((each) => each.id),
      'both',
    ),
  )
}

export const linkKey = ({ from_id, form, target }: Pick<LinkRow, 'from_id' | 'form' | 'target'>) =>
  `${from_id} ${form} ${target}`

/** Each link as it was before the first of these renames. */
function note(renames: HeldRenames, rows: readonly LinkRow[]): void {
  for (const row of rows) {
    const key = linkKey(row)
    if (!renames.links.has(key)) renames.links.set(key, row)
  }
}

/** Rewrites the links that lead elsewhere than before; the texts that it rewrote, by id. */
async function keepLinks(
  tx: Tx,
  kinds: Kinds,
  writeOne: Write,
  actor: Actor,
  renames: HeldRenames,
): Promise<Map<string, EntityRow>> {
  const rewritten = new Map<string, EntityRow>()
  let characters = maxCharacters
  if (tx.heldRenames) await dropNumbers(tx, kinds, renames)
  for (const { space_id, holder, links } of await listTurned(tx, renames)) {
    const kind = kinds.get(holder.type)
    const row = await createEntitiesRepo(tx).lock(kind, space_id, holder.id)
    if (!row || row.deleted_at !== null) continue
    const { undoes } = renames
    if (undoes !== undefined && !(await createAuditRepo(tx).hasChangedSince(space_id, holder.id, undoes)))
      continue
    const text = textOf(row[kind.bodyField])
    characters -= text.length
    const isHeld = rewritten.size < maxRewritten && characters >= 0
    const { next, left, content } = isHeld
      ? await respell(tx, kinds, { row, text, links, renames })
      : { next: text, left: links }
    const isTurned = next !== text && (content !== undefined || mayHold(kind, next))
    await keepNames(tx, space_id, isTurned ? left : links)
    if (!isTurned) continue
    const { id, version } = row
    const fields = content ? {} : { [kind.bodyField]: next }
    const write = { action: 'update', type: kind.type, space_id, id, version, fields, content } as const
    rewritten.set(id, await writeOne(tx, write, { actor }))
  }
  return rewritten
}

/** Of pages that were renamed together, one may have what was another one's path. */
async function dropNumbers(tx: Tx, kinds: Kinds, { moved }: HeldRenames): Promise<void> {
  for (const [id, { space_id, type, title }] of moved) {
    const kind = kinds.get(type)
    const row =
      title === null || type !== 'page' ? null : await createEntitiesRepo(tx).find(kind, space_id, id)
    const path = row && (await unnumberedPath(tx, row))
    if (!row || !path) continue
    const place = placeOf(kind, row)
    const below = await moveBelow(tx, space_id, pathOf(row)!, path)
    await createNamesRepo(tx).setPath(place, path)
    await takePath(tx, kind, { ...row, path })
    await createLinkIndex(tx).move(space_id, [{ entity_type: type, entity_id: id, path }, ...below])
  }
}

type TurnedText = { space_id: string; holder: { type: string; id: string }; links: LinkRow[] }

/**
 * The texts with links that led to what was renamed, or stand in what was moved, and lead elsewhere now. Those by its old
 * title are turned also where that stays its alias.
 */
async function listTurned(tx: Tx, { links, moved }: HeldRenames): Promise<TurnedText[]> {
  const noted = [...links.values()].filter(
    ({ from_id, to_id }) => to_id !== null && (moved.has(from_id) || moved.has(to_id)),
  )
  const turned: TurnedText[] = []
  const bySpace = Map.groupBy(
    noted,
    ({ from_id, to_id }) => (moved.get(to_id!) ?? moved.get(from_id))!.space_id,
  )
  for (const [space_id, rows] of bySpace) {
    const ids = [...new Set(rows.map(({ from_id }) => from_id))]
    const now = new Map(
      (await createLinksRepo(tx).listRows(space_id, ids, 'from')).map((row) => [linkKey(row), row]),
    )
    const paths = await createNamesRepo(tx).listPaths(space_id, [...new Set(rows.map(({ to_id }) => to_id!))])
    const lost = rows.filter((row) => {
      const current = now.get(linkKey(row))
      if (current === undefined) return false
      // One by a path says the whole of it, though a part of that would do.
      const saysPath = row.form === 'wiki' && row.target.includes('/') && moved.has(row.to_id!)
      const title = moved.get(row.to_id!)?.title ?? null
      const saysTitle =
        row.form === 'wiki' && title !== null && normalizeName(row.target) === normalizeName(title)
      const isCard = isCanvas(row.holder) && moved.has(row.to_id!)
      const path = paths.get(row.to_id!) ?? null
      // Where other names still lead there, only Void knows them.
      const leftPath =
        leadsByPath(row, row.holder, moved.get(row.to_id!)?.path ?? path) &&
        !leadsByPath(row, current.holder, path)
      return saysPath || saysTitle || isCard || leftPath || current.to_id !== row.to_id
    })
    for (const [id, ofText] of Map.groupBy(lost, ({ from_id }) => from_id))
      turned.push({ space_id, holder: { type: ofText[0]!.from_type, id }, links: ofText })
  }
  return turned
}

/** Lets each link lead where it led by the name that it has, unless something else answers to that. */
async function keepNames(tx: Tx, space_id: string, links: readonly LinkRow[]): Promise<void> {
  for (const { to_type, to_id, name, form, target } of links) {
    if (!to_type || !to_id) continue
    const place = { space_id, entity_type: to_type, entity_id: to_id }
    await createLinkIndex(tx).keepNames(place, [form === 'path' ? name : normalizeName(target)])
  }
}

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
