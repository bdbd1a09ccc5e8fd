import type { Blame, BlameChange, BlameDraft } from '../../contract/changes/blame.ts'
import { type EntityRow, type Kind, textOf } from '../../contract/entities/kind.ts'
import type { Actor } from '../../core/actor.ts'
import type { Database } from '../../db/pool.ts'
import { createBlameRepo, type FieldChangeRow, type WriterRow } from '../../db/repos/history.ts'
import { type TextThreads, textTask } from '../../jobs/workers/text-threads.ts'
import { isFromOutside } from '../grounding/untrusted.ts'
import {
  type Attribution,
  beginTrace,
  createTextTrace,
  type TracedChange,
  traceChanges,
} from './trace-text.ts'

type BlameLimits = {
  /** Changes of the text that are looked through. */
  changes: number
  /** Characters of earlier texts that are read. */
  characters: number
}

/** A page of 100 kB is followed through all of them. */
const blameLimits: BlameLimits = { changes: 1000, characters: 150_000_000 }

/** Changes in one go: between two, others have the process and the database. */
const perQuery = 8

export type BlameDeps = { database: Database; threads: TextThreads }

export type BlameRequest = {
  kind: Kind
  row: EntityRow
  /** Who asks: an agent sees of its own drafts only what they were made from. */
  actor: Actor
  /** Range of the text. Default: all of it. */
  start?: number | undefined
  end?: number | undefined
  limits?: BlameLimits
}

/**
 * Which change wrote what of the text of an entity, from the audit log alone. Stops at the limits, and where a step back
 * is too complex, and says so.
 */
export async function blameText(deps: BlameDeps, request: BlameRequest): Promise<Blame> {
  const { kind, row, actor } = request
  const text = textOf(row[kind.bodyField])
  const { traced, too_complex } = await trace(deps, text, request)
  const seqs = [...new Set(traced.flatMap(({ seq }) => seq ?? []))]
  const writers = await createBlameRepo(deps.database).listWriters(row.space_id, row.id, seqs)
  return {
    version: row.version,
    field: kind.bodyField,
    passages: toPassages(text, traced),
    changes: writers.map((writer) => toChange(writer, actor)),
    complete: traced.every(({ seq }) => seq !== null),
    too_complex,
  }
}

type TextField = { space_id: string; entity_id: string; name: string }

const traceTask = textTask(new URL('./trace-text.ts', import.meta.url), traceChanges)

type Traced = { traced: Attribution[]; too_complex: boolean }

async function trace({ database, threads }: BlameDeps, text: string, request: BlameRequest): Promise<Traced> {
  const { kind, row, start = 0, end = text.length, limits = blameLimits } = request
  const field = { space_id: row.space_id, entity_id: row.id, name: kind.bodyField }
  let state = beginTrace(text, Math.min(start, text.length), Math.min(end, text.length))
  let before_seq: number | null = null
  let left = limits.changes
  let characters = 0

  while (left > 0 && characters < limits.characters && !createTextTrace(state).isDone()) {
    const limit = Math.min(perQuery, left)
    const rows = await createBlameRepo(database).listChanges(field, {
      version: row.version,
      before_seq,
      limit,
    })
    const changes = await withRestored(database, field, rows, limits.characters - characters)
    const next = await threads.run(traceTask, { state, changes })
    if (!next) return { traced: createTextTrace(state).result(), too_complex: true }
    state = next
    characters += changes.reduce(
      (sum, { before, restored }) => sum + before.length + (restored?.length ?? 0),
      0,
    )
    if (rows.length < limit) break
    left -= rows.length
    before_seq = rows.at(-1)?.seq ?? null
  }
  return { traced: createTextTrace(state).result(), too_complex: false }
}

/** The changes, those that undid others with the text before what they undid, up to so many characters. */
async function withRestored(
  db: Database,
  field: TextField,
  rows: readonly FieldChangeRow[],
  maxCharacters: number,
): Promise<TracedChange[]> {
  const changes: TracedChange[] = []
  let left = maxCharacters
  for (const { seq, before, undoes, undoes_since } of rows) {
    if (left <= 0) break
    const undoes_from = undoes_since ?? undoes
    const restored =
      undoes_from === null || undoes === null
        ? null
        : await createBlameRepo(db).findBefore(field, undoes_from, undoes)
    changes.push({ seq, before, undoes_from, restored })
    left -= before.length + (restored?.length ?? 0)
  }
  return changes
}

function toPassages(text: string, traced: readonly Attribution[]): Blame['passages'] {
  let line = 1
  let counted = 0
  return traced.map(({ start, length, seq }) => {
    for (; counted < start; counted += 1) if (text[counted] === '\n') line += 1
    return { start, end: start + length, line, text: text.slice(start, start + length), seq }
  })
}

function toChange({ draft, ...facts }: WriterRow, actor: Actor): BlameChange {
  return {
    ...facts,
    outside: draft === null && isFromOutside(facts.actor),
    draft: draft && toDraft(draft, actor),
  }
}

function toDraft({ agent_id, ...draft }: NonNullable<WriterRow['draft']>, actor: Actor): BlameDraft {
  if (actor.kind !== 'agent') return draft
  const provenance = actor.agent_id === agent_id ? draft.provenance : null
  const note = actor.agent_id === agent_id ? draft.note : null
  return { ...draft, note, provenance, asked: null, turn: null }
}
