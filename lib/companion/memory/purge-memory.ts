// A line of memory removed from its page and from the history of that page: the stored values of the audit log, the drafts
// that had it, and the lines that answers list. Each batch has a `redact` row in the log with what the rows hash to now.

import type { z } from 'zod'
import { baseOf } from '../../changes/propose/resolve-draft.ts'
import type { LookFirst, Writer } from '../../content/writes/write.ts'
import { type EntityRow, textOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { PurgedMemory } from '../../contract/memory.ts'
import { type Actor, actorName } from '../../core/actor.ts'
import { conflict, notFound } from '../../core/errors.ts'
import { mapTexts } from '../../core/text/clean.ts'
import { maxMemoryText, memoryChanges, readMemory } from '../../core/text/memory/memory-lines.ts'
import { isStatement, purgeOf, purgeStatement } from '../../core/text/memory/purge-statement.ts'
import { removedMark } from '../../core/text/memory/removed-mark.ts'
import type { Database, Tx } from '../../db/pool.ts'
import { createAuditRepo } from '../../db/repos/audit.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import type { ReservedPage } from '../../db/repos/memory_pages.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import {
  type AuditTexts,
  createRedactionsRepo,
  type DraftTexts,
  type PageOfSpace,
} from '../../db/repos/redactions.ts'

export type Purged = z.infer<typeof PurgedMemory>

export type PurgeDeps = { database: Database; kinds: Kinds; writer: Writer; lookFirst: LookFirst }

/** Rows and drafts that are read, and recorded in one row of the log, at a time. */
const batch = 100

/** What a purge leaves, in the owner's words. */
const notReached = [
  'Conversations in which you said it, with their titles, summaries, tool calls and logs',
  'Other pages that have it, and drafts and research that quote the memory page',
  'A memory page that you deleted',
  'Backups and exports that were made before',
  'Files of a connected folder that were put aside, and imported files',
  'Model providers and other programs that were given it',
]

/**
 * Removes a line. `everywhere`: the page is that of all Spaces. Throws `AppError` 404 where neither the page nor its history
 * has it, 409 `draft_waits` while an undecided draft of the page has it, 409 `in_trash` for a page in the trash.
 */
export async function purgeMemory(
  deps: PurgeDeps,
  actor: Actor,
  { page_id, space_id, everywhere, text }: ReservedPage & { everywhere: boolean; text: string },
): Promise<Purged> {
  const page = { id: page_id, space_id }
  await deps.lookFirst(space_id, [page_id])
  return await deps.database.transaction(async (tx) => {
    const redactions = createRedactionsRepo(tx)
    await redactions.lockDrafts(page)
    await createAuditRepo(tx).lock()
    const row = await createEntitiesRepo(tx).lock(deps.kinds.get('page'), space_id, page_id)
    const said = new Set([text])
    const withoutText = purgeOf(text)
    const purge = (held: string) => {
      for (const line of readMemory(held)) if (isStatement(line.text, text)) said.add(line.text)
      return withoutText(held)
    }

    const drafts = await purgeDrafts(tx, deps.kinds, { actor, page, row, text, purge })
    const lines = row ? await forget(tx, deps.writer, { actor, row, text }) : 0
    const versions = await purgeAudit(tx, { actor, page, purge })
    let answers = 0
    for (const line of said) {
      const given = line.slice(0, maxMemoryText).toWellFormed()
      answers += await redactions.replaceGivenLine(everywhere ? null : space_id, given, removedMark)
    }
    if (lines + versions + drafts + answers === 0)
      throw notFound('line of memory', 'with this text, in the page or its history')
    return { page_id, removed: { lines, versions, drafts, answers }, not_reached: notReached }
  })
}

/** Takes the line off the page, as any change of it; returns how many lines went. */
async function forget(
  tx: Tx,
  writer: Writer,
  { actor, row, text }: { actor: Actor; row: EntityRow; text: string },
): Promise<number> {
  const { id, space_id, version } = row
  const before = textOf(row.body)
  const body = purgeStatement(before, text, null)
  if (body === before) return 0
  if (row.deleted_at) throw conflict('in_trash', 'The memory page is in the trash. Restore it first.')
  await writer.write(
    tx,
    { action: 'update', type: 'page', space_id, id, version, fields: { body } },
    { actor },
  )
  await createRedactionsRepo(tx).dropOriginal({ space_id, id })
  const kept = body.split('\n').length
  return Math.max(1, before.split('\n').length - kept)
}

type Purge = { actor: Actor; page: PageOfSpace; purge: (text: string) => string }

/** Returns how many rows of the log had it. */
async function purgeAudit(tx: Tx, { actor, page, purge }: Purge): Promise<number> {
  const redactions = createRedactionsRepo(tx)
  let redacted = 0
  for (let after = 0; ; ) {
    const rows = await redactions.listAudit(page, after, batch)
    const changed = rows.map((row) => purgeRow(row, purge)).filter((row) => row !== null)
    if (changed.length > 0) {
      await record(tx, actor, page, { rows: await redactions.hashAudit(page, changed) })
      await redactions.redactAudit(page, changed)
    }
    redacted += changed.length
    if (rows.length < batch) return redacted
    after = rows.at(-1)!.seq
  }
}

function purgeRow({ seq, before, after }: AuditTexts, purge: Purge['purge']): AuditTexts | null {
  const row = { seq, before: purgeJson(before, purge), after: purgeJson(after, purge) }
  return row.before === before && row.after === after ? null : row
}

type DraftPurge = Purge & { row: EntityRow | null; text: string }

/** Returns how many decided drafts had it. Before the log, from which the text that a draft began with is read. */
async function purgeDrafts(tx: Tx, kinds: Kinds, parts: DraftPurge): Promise<number> {
  const { actor, page } = parts
  const redactions = createRedactionsRepo(tx)
  let redacted = 0
  for (let after: string | null = null; ; ) {
    const drafts = await redactions.listDrafts(page, after, batch)
    const changed: DraftTexts[] = []
    for (const { status, base_version: _, ...draft } of drafts) {
      const purged = await purgeDraft(tx, kinds, draft, parts)
      if (!purged) continue
      if (status === 'pending')
        throw conflict('draft_waits', 'A draft with this line waits. Decide on it first.', {
          pending_change_id: draft.id,
        })
      changed.push(purged)
    }
    if (changed.length > 0) {
      await record(tx, actor, page, { drafts: await redactions.hashDrafts(page, changed) })
      await redactions.redactDrafts(page, changed)
    }
    redacted += changed.length
    if (drafts.length < batch) break
    after = drafts.at(-1)!.id
  }
  for (const line of await redactions.listOutcomeLines(page)) {
    const purged = parts.purge(line)
    if (purged !== line) await redactions.replaceOutcomeLine(page, line, purged)
  }
  return redacted
}

async function purgeDraft(
  tx: Tx,
  kinds: Kinds,
  draft: DraftTexts,
  { row, text, purge }: DraftPurge,
): Promise<DraftTexts | null> {
  const isAbout = await changesLine(tx, kinds, draft.id, { row, text })
  const purged = {
    id: draft.id,
    payload: purgeJson(draft.payload, purge),
    // It says in the owner's words what the line came from, which may be others than those of the line.
    reason: isAbout ? removedMark : purge(draft.reason),
    provenance: purgeJson(draft.provenance, purge),
    conflicts: purgeJson(draft.conflicts, purge),
    drops: purgeJson(draft.drops, purge),
    decision: purgeJson(draft.decision, purge),
  }
  return Object.entries(purged).every(([name, value]) => value === draft[name as keyof DraftTexts])
    ? null
    : purged
}

/** Whether a draft added, replaced or removed the line. */
async function changesLine(
  tx: Tx,
  kinds: Kinds,
  id: string,
  { row, text }: { row: EntityRow | null; text: string },
): Promise<boolean> {
  const change = await createPendingChangesRepo(tx).find(id, { space_ids: null, agent_id: null })
  if (!change || !('body' in change.payload)) return false
  const base = row && change.base_version !== null ? await baseOf(tx, kinds.get('page'), row, change) : null
  return memoryChanges(textOf(base?.body), textOf(change.payload.body)).some(
    (line) => isSame(line.text, text) || isSame(line.was, text),
  )
}

const isSame = (line: string | null, text: string) => line !== null && isStatement(line, text)

/** The same text where it does not hold the line. */
function purgeJson<Text extends string | null>(json: Text, purge: (text: string) => string): Text | string {
  if (json === null) return json
  const value: unknown = JSON.parse(json)
  const purged = mapTexts(value, purge)
  return purged === value ? json : JSON.stringify(purged)
}

const record = (tx: Tx, actor: Actor, { id, space_id }: PageOfSpace, after: Record<string, unknown>) =>
  createAuditRepo(tx).append({
    space_id,
    actor: actorName(actor),
    action: 'redact',
    entity_type: 'page',
    entity_id: id,
    version: null,
    before: null,
    after,
    pending_change_id: null,
  })
