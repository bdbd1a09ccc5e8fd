// The promise of the card: what it states is what happens, no field more and none less; and nothing about a payload can
// change without the card changing with it.

import fc from 'fast-check'
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { noLimits } from '../../lib/changes/card/fold-text.ts'
import { loadCard } from '../../lib/changes/card/load-cards.ts'
import { unknownProvenance } from '../../lib/changes/grounding/provenance.ts'
import { canonicalJson, sha256 } from '../../lib/changes/payload.ts'
import { changedFields, validateCreate, validateUpdate } from '../../lib/content/writes/validate-fields.ts'
import type { Card, CardField } from '../../lib/contract/changes/card.ts'
import type { PendingChange } from '../../lib/contract/changes/pending-change.ts'
import type { EntityRow, Kind } from '../../lib/contract/entities/kind.ts'
import { kinds } from '../../lib/contract/entities/kinds.ts'
import { splitLines } from '../../lib/core/text/clean.ts'
import { createPendingChangesRepo } from '../../lib/db/repos/pending_changes.ts'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'
import { fieldsOf } from './arbitrary-fields.ts'
import { draftCard } from './card/draft-card.ts'

/** More with CONSENT_RUNS; it has been run for thousands on both engines. */
const runs = Number(process.env.CONSENT_RUNS ?? 200)
const void_ = await buildApp()
const {
  database,
  changes: { decisions, loadCards },
  content: { writer },
} = void_.deps
const world = await makeWorld(void_)
const { agentId } = await makeAgent(void_, { slug: 'scribe' })
const owner = { kind: 'owner' as const }
const space_id = world.space.id
const references = { page: world.lamp.id, project: world.repairs.id }

type Draft = {
  kind: Kind
  action: PendingChange['action']
  payload: Record<string, unknown>
  row: EntityRow | null
}

const some = (kind: Kind, required: readonly string[]) =>
  fc.record(fieldsOf[kind.type]!(references), { requiredKeys: [...required] })

/** Whatever may be drafted of any kind, without asking who may. */
const drafts = fc.constantFrom(...kinds.all).chain((kind) =>
  fc.record({
    kind: fc.constant(kind),
    action: fc.constantFrom('create' as const, 'update' as const, 'delete' as const),
    from: some(kind, ['title']),
    to: some(kind, ['title']),
  }),
)

type Generated = typeof drafts extends fc.Arbitrary<infer Value> ? Value : never

async function prepare({ kind, action, from, to }: Generated): Promise<Draft> {
  if (action === 'create') return { kind, action, payload: validateCreate(kind, to), row: null }
  const write = { action: 'create' as const, type: kind.type, space_id, fields: from }
  const row = await database.transaction((tx) => writer.write(tx, write, { actor: owner }))
  if (action === 'delete') return { kind, action, payload: {}, row }
  const changeable = Object.fromEntries(Object.entries(to).filter(([name]) => !kind.fixed.includes(name)))
  return { kind, action, payload: changedFields(row, validateUpdate(kind, changeable)), row }
}

async function store({ kind, action, payload, row }: Draft): Promise<PendingChange> {
  const text = canonicalJson(payload)
  return await createPendingChangesRepo(database).insertOnce({
    id: uuid(),
    space_id,
    agent_id: agentId,
    conversation_id: null,
    turn_id: null,
    tool_use_id: null,
    changeset_id: uuid(),
    entity_type: kind.type,
    entity_id: row?.id ?? uuid(),
    action,
    payload: text,
    payload_sha256: sha256(text),
    base_version: row?.version ?? null,
    reason: '',
    derivation: 'proposed',
    supersedes: null,
    provenance: unknownProvenance,
  })
}

/** Every row of every kind, Space, agent and conversation but one, as one hash; and that one, column by column. */
async function lookAtEverything(kind: Kind, id: string) {
  const tables = [...kinds.all.map(({ table }) => table), 'spaces', 'agents', 'agent_tokens', 'conversations']
  const others = await Promise.all(
    tables.map((table) =>
      database.query(
        `select md5(coalesce(string_agg(t::text, ',' order by id), '')) as hash from ${table} t where id <> $1`,
        [id],
      ),
    ),
  )
  const own = await database.query<EntityRow>(`select * from ${kind.table} where id = $1`, [id])
  const log = await database.query<{ count: number }>('select count(*) as count from audit_log')
  return { others: others.map(({ rows }) => rows[0]), row: own.rows[0] ?? null, audited: log.rows[0]!.count }
}

/** What the row will be, by the word of the card alone. */
function rowByCard(card: Card, kind: Kind, before: EntityRow | null): Record<string, unknown> {
  const stated = Object.fromEntries(card.fields.map(({ name, after }) => [name, after]))
  if (card.operation === 'update') return { ...before, ...stated, version: before!.version + 1 }
  if (card.operation === 'delete') return { ...before, version: before!.version + 1, deleted_at: 'now' }
  const defaults = Object.fromEntries(card.defaults.map(({ name, value }) => [name, value]))
  const fields = Object.fromEntries(Object.keys(kind.fields.shape).map((name) => [name, null]))
  const made = { ...fields, ...defaults, ...stated }
  const own = {
    id: card.entity_id,
    space_id,
    version: 1,
    origin: 'agent',
    deleted_at: null,
    created_by: 'owner',
  }
  return { ...made, ...kind.derive(made), ...own }
}

/** The text that a field will hold, put together from its hunks. */
function textByHunks({ before, text }: CardField): string {
  const lines = splitLines(typeof before === 'string' ? before : '')
  for (const { lines: place, parts } of text!.hunks.toReversed()) {
    const written = parts.map((part) => (part.kind === 'removed' ? '' : part.text)).join('')
    lines.splice(place.before.start - 1, place.before.count, written)
  }
  return lines.join('')
}

const compared = (row: Record<string, unknown> | null) => {
  if (!row) return null
  // The path follows from title and parent where the card does not state it; how a file was read is an import's.
  const { updated_at, updated_by, created_at, original, original_of, read_as, path, deleted_at, ...rest } =
    row
  return { ...rest, deleted_at: deleted_at === null ? null : 'now' }
}

test('approving changes the database exactly as the card states, whatever the kind, the action and the payload', async () => {
  await fc.assert(
    fc.asyncProperty(drafts, async (generated) => {
      const draft = await prepare(generated)
      if (draft.action === 'update' && Object.keys(draft.payload).length === 0) return
      const change = await store(draft)
      const card = await loadCard(database, loadCards, change, { limits: noLimits })
      const before = await lookAtEverything(draft.kind, change.entity_id)

      await decisions.approve(owner, change.id, { payload_sha256: card.payload_sha256 })
      const after = await lookAtEverything(draft.kind, change.entity_id)

      expect(compared(after.row)).toEqual(compared(rowByCard(card, draft.kind, before.row)))
      expect(after.others).toEqual(before.others)
      expect(after.audited).toBe(before.audited + 1)
      for (const { name, before: said, text } of card.fields) {
        expect(said).toEqual(before.row?.[name] ?? null)
        const field = card.fields.find((field) => field.name === name)!
        if (text && typeof after.row![name] === 'string' && card.operation !== 'delete') {
          expect(textByHunks(field)).toBe(after.row![name])
        }
      }
    }),
    { numRuns: runs },
  )
}, 600_000)

test('no byte of a payload can change without the card showing another hash, and another value where it is one', () => {
  const seen = { unreadable: 0, same: 0, other: 0 }
  const flips = fc.constantFrom(1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 127, 128, 255)
  fc.assert(
    fc.property(drafts, fc.nat(), flips, ({ kind, action, from, to }, at, flip) => {
      if (action === 'delete') return
      const stored = Buffer.from(canonicalJson(to))
      const mutated = Buffer.from(stored)
      mutated[at % stored.length]! ^= flip
      const payload = parse(mutated)
      if (payload === null) {
        seen.unreadable += 1
        return
      }
      const make = (payload: Record<string, unknown>) =>
        draftCard({ type: kind.type, action, row: action === 'create' ? null : from, payload, whole: true })

      const honest = make(JSON.parse(stored.toString()))
      const forged = make(payload)

      expect(sha256(mutated.toString())).not.toBe(sha256(stored.toString()))
      const isOther = canonicalJson(payload) !== stored.toString()
      seen[isOther ? 'other' : 'same'] += 1
      if (isOther) expect(shownOf(forged)).not.toBe(shownOf(honest))
    }),
    { numRuns: Math.max(5000, runs) },
  )
  expect(seen.other).toBeGreaterThan(1500)
}, 120_000)

/** What a person reads of the fields: the words and the changed text, not the raw values. */
const shownOf = ({ fields }: Card) =>
  JSON.stringify(
    fields.map(({ name, label, words, text }) => [name, label, words, text?.hunks.map(({ parts }) => parts)]),
  )

/** `null` for what is no text in UTF-8 or no object: the database, or the reading of the row, refuses it. */
function parse(bytes: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
    )
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

test('a payload that was changed in the database itself no longer has its hash, and is refused there', async () => {
  const change = await store({
    kind: kinds.get('page'),
    action: 'create',
    payload: { title: 'Lease' },
    row: null,
  })
  const bytes = Buffer.from('{"title":"Lease"}')

  await database.query('alter table pending_changes disable trigger user')
  for (let at = 0; at < bytes.length; at += 1) {
    const forged = Buffer.from(bytes)
    forged[at]! ^= 1
    const tamper = database.query('update pending_changes set payload = $2 where id = $1', [
      change.id,
      forged.toString(),
    ])
    await expect(tamper).rejects.toThrow(/pending_changes_payload_is_hashed/)
  }
  await database.query('alter table pending_changes enable trigger user')
})

test('what is known of where a draft comes from cannot be changed afterwards', async () => {
  const change = await store({
    kind: kinds.get('page'),
    action: 'create',
    payload: { title: 'Lease' },
    row: null,
  })

  const clean = JSON.stringify({ ...unknownProvenance, known: true })
  const tamper = database.query('update pending_changes set provenance = $2 where id = $1', [
    change.id,
    clean,
  ])

  await expect(tamper).rejects.toThrow(/provenance .* never changes/)
})
