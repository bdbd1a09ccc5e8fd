// From what an agent asks for to what is stored: the drafts that it builds on, the fields checked against the kind, the
// edits resolved to an exact text, the references found.

import { v7 as uuid } from 'uuid'
import { findPastFields } from '../../content/writes/history.ts'
import { changedFields, validateCreate, validateUpdate } from '../../content/writes/validate-fields.ts'
import { makesNew } from '../../contract/changes/decision.ts'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import { type EntityRow, type Kind, textOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { AgentActor } from '../../core/actor.ts'
import { AppError, conflict, forbidden, invalid, notFound } from '../../core/errors.ts'
import type { Queryable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createPendingChangeListsRepo } from '../../db/repos/pending_change_lists.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import type { TextThreads } from '../../jobs/workers/text-threads.ts'
import { mergeInThread } from '../compare-drafts.ts'
import { type Edit, namesLines } from './apply-edits.ts'
import { type Proposal, withEdits } from './proposal.ts'

/**
 * The drafts that a proposal takes the place of: what the agent has waiting for the same entity, oldest first,
 * or, where the proposal names the draft that it revises, for that one's. Throws `AppError`: 404 for a draft that is
 * not the agent's, 400 for one of another entity or action, 409 `already_decided`.
 */
export async function listOlderDrafts(
  db: Queryable,
  { agent_id }: AgentActor,
  proposal: Proposal,
): Promise<PendingChange[]> {
  const { space_id, entity_type, entity_id, action, supersedes } = proposal
  const changes = createPendingChangesRepo(db)
  if (supersedes === undefined) {
    if (makesNew(action) || !entity_id) return []
    return await changes.listWaiting({ space_id, agent_id, entity_type, entity_id })
  }

  const revised = await changes.find(supersedes, { space_ids: [space_id], agent_id })
  if (!revised) throw notFound('draft of yours', supersedes)
  checkRevises(proposal, revised)
  const waiting = await changes.listWaiting(revised)
  if (!waiting.some(({ id }) => id === supersedes)) {
    const current = (await changes.find(supersedes, { space_ids: [space_id], agent_id })) ?? revised
    throw conflict('already_decided', `The draft ${supersedes} is already ${current.status}.`, { current })
  }
  return waiting
}

export type ResolvedDraft = Pick<PendingChange, 'action' | 'entity_id' | 'payload' | 'base_version'>

/** `row`: what would change; null for what is new. */
type Resolved = { draft: ResolvedDraft; row: EntityRow | null }

type Input = {
  kind: Kind
  proposal: Proposal
  changesetId: string
  /** A draft that this one revises, or that makes its entity: what it does not mention stays as drafted there. */
  earlier: PendingChange | null
  /** An update that waits, of this turn or an earlier one: its changes are added to those of this one. */
  waiting: PendingChange | null
  threads: TextThreads
  /** Whether the agent may read the entity: only then does a refusal hold the current row. */
  readable: boolean
}

/**
 * Throws `AppError`: 400 for what does not fit the kind, 403 for edits of a text that the agent may not read, 404 for no
 * target, 409 `stale_version`.
 */
export async function resolveDraft(db: Queryable, kinds: Kinds, input: Input): Promise<Resolved> {
  const resolved = await resolve(db, input)
  await checkReferences(db, kinds, input, resolved.draft.payload)
  return resolved
}

async function resolve(db: Queryable, input: Input): Promise<Resolved> {
  const { kind, proposal, earlier, readable } = input
  if (proposal.edits?.length && !readable) {
    throw forbidden(
      `This token may not read the ${kind.label}, so it cannot edit parts of it. Send whole fields.`,
    )
  }
  const reserved = kind.reserved.find((name) => Object.hasOwn(proposal.payload ?? {}, name))
  if (reserved) throw invalid(`${reserved}: cannot be set by an agent.`)
  if (proposal.edits?.some(namesLines)) checkNamesLines(proposal, earlier)
  const drafted = earlier?.payload ?? {}
  if (earlier && makesNew(earlier.action) && proposal.action !== 'delete') {
    const payload = validateCreate(kind, { ...drafted, ...withEdits(kind, drafted, proposal) })
    const { action, entity_id } = earlier
    return { draft: { action, entity_id, payload, base_version: null }, row: null }
  }
  if (makesNew(proposal.action)) {
    if (proposal.edits) throw invalid(`A create takes no edits. Send the text as payload.${kind.bodyField}.`)
    const payload = validateCreate(kind, withEdits(kind, {}, proposal))
    const { action, memory } = proposal
    return { draft: { action, entity_id: memory?.page_id ?? uuid(), payload, base_version: null }, row: null }
  }

  const row = await findTarget(db, input)
  const target = { entity_id: row.id, base_version: row.version }
  if (proposal.action === 'delete') return { draft: { ...target, action: 'delete', payload: {} }, row }

  if (earlier?.action === 'update' && earlier.base_version !== row.version) {
    const message = `The ${kind.label} ${row.id} has changed since that draft was made. Read it and draft again.`
    throw conflict('stale_version', message, readable ? { current: row } : undefined)
  }
  const wanted = input.waiting
    ? await extendDraft(db, { ...input, row }, input.waiting)
    : { ...drafted, ...withEdits(kind, { ...row, ...drafted }, proposal) }
  const payload = changedFields(row, validateUpdate(kind, wanted))
  if (Object.keys(payload).length === 0) {
    throw invalid(`This would change nothing: the ${kind.label} already has these values.`)
  }
  return { draft: { ...target, action: 'update', payload }, row }
}

/** Throws unless numbers of lines can only mean those of the version that was read. */
function checkNamesLines({ version }: Proposal, earlier: PendingChange | null): void {
  if (earlier) throw invalid('Line numbers are those of the stored text. In a draft, name the words instead.')
  if (version === undefined)
    throw invalid('version: is missing. Edits by line number take the version that read returned.')
}

async function findTarget(db: Queryable, { kind, proposal, readable }: Input): Promise<EntityRow> {
  const { space_id, entity_id, version } = proposal
  if (!entity_id) throw invalid(`entity_id: is missing.`)
  const row = await createEntitiesRepo(db).find(kind, space_id, entity_id)
  if (!row) throw notFound(kind.label, entity_id)
  if (version !== undefined && version !== row.version) {
    const message = `The ${kind.label} ${row.id} is now at version ${row.version}.`
    throw conflict('stale_version', message, readable ? { current: row } : undefined)
  }
  return row
}

// A reference may name what an earlier draft of the same changeset would create.
async function checkReferences(
  db: Queryable,
  kinds: Kinds,
  { kind, proposal: { space_id }, changesetId }: Input,
  payload: Record<string, unknown>,
): Promise<void> {
  for (const [column, type] of Object.entries(kind.references)) {
    const target = payload[column]
    if (typeof target !== 'string') continue
    if (await createEntitiesRepo(db).find(kinds.get(type), space_id, target)) continue
    const wanted = { space_id, changeset_id: changesetId, entity_id: target }
    const [creator] = await createPendingChangeListsRepo(db).listCreators([wanted])
    if (creator?.entity_type === type && creator.status === 'pending') continue
    throw invalid(`${column}: there is no ${kinds.get(type).label} ${target} in this Space.`)
  }
}

function checkRevises({ entity_type, entity_id, action }: Proposal, revised: PendingChange): void {
  const { id } = revised
  if (revised.entity_type !== entity_type || (entity_id && entity_id !== revised.entity_id)) {
    throw invalid(`The draft ${id} is of the ${revised.entity_type} ${revised.entity_id}. Revise that one.`)
  }
  if (makesNew(revised.action) !== makesNew(action)) {
    throw invalid(`The draft ${id} is a ${revised.action}. Revise it as such, or retract it.`)
  }
}

type Fields = Record<string, unknown>

type Parts = { threads: TextThreads; kind: Kind; row: EntityRow; proposal: Proposal }

/**
 * The fields of a proposed update with those that a waiting draft would change besides. Where both change the
 * same words the newer one counts, and the card says what is left out. Throws as `withEdits` does.
 */
async function extendDraft(db: Queryable, parts: Parts, waiting: PendingChange): Promise<Fields> {
  const drafted = await rebase(db, parts, waiting)
  const { kind, row, proposal } = parts
  try {
    // Edits mostly name words of the draft, which the agent wrote itself.
    if (proposal.edits?.length && !proposal.edits.some(namesLines)) {
      const text = { ...row, ...drafted }
      const edits = atTheEnd(proposal.edits, textOf(row[kind.bodyField]), textOf(text[kind.bodyField]))
      return { ...drafted, ...withEdits(kind, text, { ...proposal, edits }) }
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
  return await merge(parts, withEdits(kind, row, proposal), drafted)
}

/** What adds to the end of the stored text adds to the end of the draft, behind what that has there. */
function atTheEnd(edits: readonly Edit[], stored: string, drafted: string): Edit[] {
  const [ends, grown] = [stored.trimEnd(), drafted.trimEnd()]
  return edits.map((edit) => {
    if (!('old_text' in edit)) return edit
    const { old_text, new_text } = edit
    const isEnd = old_text !== '' && stored.indexOf(old_text) === ends.length - old_text.length
    const isAddition = isEnd && new_text.startsWith(old_text) && grown.startsWith(ends)
    if (edits.length > 1 || !isAddition) return edit
    return { old_text: grown, new_text: grown + new_text.slice(old_text.length) }
  })
}

/** What the waiting draft would change in the row as it is now. */
async function rebase(db: Queryable, { threads, kind, row }: Parts, waiting: PendingChange): Promise<Fields> {
  const { payload, base_version } = waiting
  if (base_version === null || base_version === row.version) return payload
  const base = await baseOf(db, kind, row, waiting)
  const input = { bodyField: kind.bodyField, base, current: row, payload }
  return (await mergeInThread(threads, input)).payload
}

/** The fields that a draft changes as it saw them; null when that can no longer be known. */
export async function baseOf(
  db: Queryable,
  kind: Kind,
  row: EntityRow,
  { payload, base_version }: PendingChange,
): Promise<Fields | null> {
  if (base_version === null || base_version === row.version) return row
  return await findPastFields(db, kind, row, { version: base_version, fields: Object.keys(payload) })
}

async function merge(
  { threads, kind: { bodyField }, row }: Parts,
  wanted: Fields,
  drafted: Fields,
): Promise<Fields> {
  const merged = async (unit: Unit) => {
    const cut = (fields: Fields) =>
      bodyField in fields ? { ...fields, [bodyField]: unit.split(textOf(fields[bodyField])) } : fields
    const base = cut(row)
    const input = { bodyField, base, current: { ...base, ...cut(wanted) }, payload: cut(drafted) }
    const { payload, conflicts } = await mergeInThread(threads, input)
    const body = payload[bodyField]
    const fields = typeof body === 'string' ? { ...payload, [bodyField]: unit.join(body, wanted) } : payload
    return { fields: { ...wanted, ...fields }, isClean: conflicts.every(({ field }) => field !== bodyField) }
  }
  const byLine = await merged({ split: endLine, join: (text) => unendLine(text, bodyField, wanted, row) })
  if (byLine.isClean) return byLine.fields
  const byWord = await merged({
    split: (text) => endLine(text).replaceAll(' ', ` ${wordEnd}`),
    join: (text) => unendLine(text.replaceAll(wordEnd, ''), bodyField, wanted, row),
  })
  return byWord.isClean ? byWord.fields : byLine.fields
}

/** What is merged: lines, or words made lines. */
type Unit = { split(text: string): string; join(text: string, wanted: Fields): string }

/** Texts of a Space hold no such sign: it is cleaned out where they enter. */
const wordEnd = '\u0000\n'

/** A last line with and without its end is the same line. */
const endLine = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

function unendLine(text: string, bodyField: string, wanted: Fields, row: EntityRow): string {
  const like = textOf(wanted[bodyField] ?? row[bodyField])
  return like.endsWith('\n') ? text : text.replace(/\n$/, '')
}
