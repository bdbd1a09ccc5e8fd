// The links of a text written so that each leads where it led.

import { type EntityRow, titleOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { LinkAim } from '../../core/text/links/read-destination.ts'
import { readLinks } from '../../core/text/links/read-links.ts'
import { leadsByPath } from '../../core/text/links/resolve-link.ts'
import { normalizeName } from '../../core/text/normalize-name.ts'
import type { HeldRenames, Tx } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createVaultExportRepo } from '../../db/repos/export.ts'
import type { LinkRow } from '../../db/repos/links.ts'
import { readsLabelFirst } from '../links/label-order.ts'
import { createResolver } from '../links/link-index.ts'
import { canvasMime, rewriteCanvas, rewriteCanvasText } from '../links/rewrite-canvas.ts'
import { canName, rewriteLinks } from '../links/rewrite-links.ts'
import { type SpelledTarget, spellTarget } from '../links/spell-target.ts'
import { pathOf } from './place-entity.ts'

type Respelled = { row: EntityRow; text: string; links: readonly LinkRow[]; renames: HeldRenames }

type Led = Pick<LinkRow, 'form' | 'target' | 'to_type' | 'to_id'>

type Respelling = {
  next: string
  /** Links that cannot be written so. */
  left: readonly LinkRow[]
  /** Of a file. */
  content?: { text: string; original: Buffer }
}

/** The text with each of these links as it leads where it led. */
export async function respell(
  tx: Tx,
  kinds: Kinds,
  { row, text, links, renames }: Respelled,
): Promise<Respelling> {
  const holder = pathOf(row)
  const spelled: { link: Led; spellings: string[] }[] = []
  const cards = new Map<string, string>()
  for (const link of [...links, ...(await unusedDefinitions(tx, { row, text, links, renames }))]) {
    const target = await findTarget(tx, kinds, row.space_id, link, renames)
    if (target?.path) cards.set(link.target, target.path)
    const spellings = target ? spellTarget(link, holder, target) : []
    spelled.push({ link, spellings: link.form === 'wiki' ? spellings.filter(canName) : spellings })
  }
  const asked = spelled.flatMap(({ link, spellings }) =>
    spellings.map((target) => ({ aim: { form: link.form, target }, holder })),
  )
  const resolve = await createResolver(tx, row.space_id, asked)
  const chosen = new Map<string, string>()
  for (const { link, spellings } of spelled) {
    const target = spellings.find(
      (each) => resolve({ form: link.form, target: each }, holder)?.entity_id === link.to_id,
    )
    if (target === undefined) continue
    // What only capital letters tell apart stays as it was written.
    const isSame = link.form === 'wiki' && normalizeName(target) === normalizeName(link.target)
    chosen.set(`${link.form} ${link.target}`, isSame ? link.target : target)
  }
  const labelFirst = await readsLabelFirst(tx, row.space_id, { text, path: holder })
  const choose = ({ form, target }: LinkAim) => chosen.get(`${form} ${target}`)
  if (row.mime === canvasMime) return { ...(await respellCanvas(tx, row, text, { cards, choose })), left: [] }
  const { text: next, left } = rewriteLinks(text, choose, labelFirst)
  const unwritten = new Set(left.map(({ form, target }) => `${form} ${target}`))
  const isLeft = ({ form, target }: LinkRow) =>
    !chosen.has(`${form} ${target}`) || unwritten.has(`${form} ${target}`)
  return { next, left: links.filter(isLeft) }
}

/** Definitions and moved things that are compared for one text. */
const maxCompared = 500

/** Definitions that no link of the text uses, as editors add them to wikilinks: they led where their paths said. */
async function unusedDefinitions(
  tx: Tx,
  { row, text, links, renames: { moved } }: Respelled,
): Promise<Led[]> {
  const used = new Set(links.map(({ form, target }) => `${form} ${target}`))
  const unused = readLinks(text)
    .filter(({ kind, form, target }) => kind === 'definition' && !used.has(`${form} ${target}`))
    .slice(0, maxCompared)
  if (unused.length === 0) return []
  const holder = moved.get(row.id)?.path ?? pathOf(row)
  const resolve = moved.has(row.id)
    ? await createResolver(
        tx,
        row.space_id,
        unused.map((aim) => ({ aim, holder })),
      )
    : null
  const candidates = [...moved].slice(0, maxCompared)
  return unused.flatMap(({ form, target }) => {
    const aim = { form, target }
    const [to_id, to] = candidates.find(([, { path }]) => leadsByPath(aim, holder, path)) ?? []
    if (to_id !== undefined && to) return [{ ...aim, to_type: to.type, to_id }]
    const stayed = resolve?.(aim, holder)
    return stayed ? [{ ...aim, to_type: stayed.entity_type, to_id: stayed.entity_id }] : []
  })
}

async function respellCanvas(
  tx: Tx,
  { space_id, id }: EntityRow,
  text: string,
  targets: Parameters<typeof rewriteCanvas>[1],
) {
  const bytes = await createVaultExportRepo(tx).readDocument(space_id, id)
  const original = Buffer.from(rewriteCanvas(bytes?.toString('utf8') ?? '', targets))
  const next = rewriteCanvasText(text, targets)
  return { next, content: { text: next, original } }
}

async function findTarget(
  tx: Tx,
  kinds: Kinds,
  space_id: string,
  { to_type, to_id }: Led,
  { moved }: HeldRenames,
): Promise<SpelledTarget | null> {
  const row = to_type && to_id ? await createEntitiesRepo(tx).find(kinds.get(to_type), space_id, to_id) : null
  if (!row) return null
  return { title: titleOf(row), path: pathOf(row), oldTitle: moved.get(row.id)?.title ?? titleOf(row) }
}
