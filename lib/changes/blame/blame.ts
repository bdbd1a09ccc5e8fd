import type { Actor } from '../../auth/actor.ts'
import type { Blame, BlameChange, BlameDraft } from '../../contract/blame.ts'
import type { Queryable } from '../../db/pool.ts'
import { createBlameRepo, type WriterRow } from '../../db/repos/blame.ts'
import type { EntityRow, Kind } from '../../entities/kind.ts'
import { textOf } from '../../entities/kind.ts'
import { isFromOutside } from '../untrusted.ts'
import { type Attribution, createTextTrace } from './trace-text.ts'

export type BlameLimits = {
  /** Changes of the text that are looked through. */
  changes: number
  /** Characters of earlier texts that are read. */
  characters: number
}

/** A page of 100 kB is followed through all of them. */
export const blameLimits: BlameLimits = { changes: 1000, characters: 150_000_000 }

/** Changes in one go: between two, others have the process and the database. */
const perQuery = 8

export type BlameRequest = {
  kind: Kind
  row: EntityRow
  /** Whom it is told: an agent hears of its own drafts only what they were made from. */
  actor: Actor
  /** A part of the text; left out: all of it. */
  start?: number | undefined
  end?: number | undefined
  limits?: BlameLimits
}

/** Which change wrote what of the text of an entity, from the audit log alone. Stops at the limits, and says so. */
export async function blameText(db: Queryable, request: BlameRequest): Promise<Blame> {
  const { kind, row, actor } = request
  const text = textOf(row[kind.bodyField])
  const traced = await trace(db, text, request)
  const seqs = [...new Set(traced.flatMap(({ seq }) => seq ?? []))]
  const writers = await createBlameRepo(db).listWriters(row.space_id, row.id, seqs)
  return {
    version: row.version,
    field: kind.bodyField,
    passages: toPassages(text, traced),
    changes: writers.map((writer) => toChange(writer, actor)),
    complete: traced.every(({ seq }) => seq !== null),
  }
}

async function trace(db: Queryable, text: string, request: BlameRequest): Promise<Attribution[]> {
  const { kind, row, start = 0, end = text.length, limits = blameLimits } = request
  const repo = createBlameRepo(db)
  const field = { space_id: row.space_id, entity_id: row.id, name: kind.bodyField }
  const tracing = createTextTrace(text, Math.min(start, text.length), Math.min(end, text.length))
  let before_seq: number | null = null
  let left = limits.changes
  let characters = 0

  while (left > 0 && characters < limits.characters && !tracing.isDone()) {
    const limit = Math.min(perQuery, left)
    const changes = await repo.listChanges(field, { version: row.version, before_seq, limit })
    for (const { seq, before, undoes, undoes_since } of changes) {
      const undoes_from = undoes_since ?? undoes
      const restored =
        undoes_from === null || undoes === null ? null : await repo.findBefore(field, undoes_from, undoes)
      tracing.step({ seq, before, undoes_from }, restored)
      characters += before.length + (restored?.length ?? 0)
      if (tracing.isDone() || characters >= limits.characters) break
    }
    if (changes.length < limit) break
    left -= changes.length
    before_seq = changes.at(-1)?.seq ?? null
  }
  return tracing.result()
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
