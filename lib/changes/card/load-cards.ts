import { setImmediate } from 'node:timers/promises'
import { findPastFields } from '../../content/writes/history.ts'
import type { CallRun, Card, ReplyDelivery, StaleField } from '../../contract/changes/card.ts'
import type { ChangeSince } from '../../contract/changes/decision.ts'
import type {
  DecidedChange,
  PendingChange,
  PendingChangeWithCard,
} from '../../contract/changes/pending-change.ts'
import { textOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { fieldLabel } from '../../core/text/properties/field-label.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import { createAuditOfDraftsRepo, type LaterChange } from '../../db/repos/decisions.ts'
import { createMemoryPagesRepo } from '../../db/repos/memory_pages.ts'
import { createPendingChangeListsRepo } from '../../db/repos/pending_change_lists.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import { createRepliesRepo } from '../../db/repos/replies.ts'
import { createCallRunsRepo } from '../../db/repos/tool_calls.ts'
import { maxMainThread, type TextThreads, textTask } from '../../jobs/workers/text-threads.ts'
import { valueWords } from './card-fields.ts'
import { compareTexts, compareValues, type Sides } from './compare-stale.ts'
import type { CardLimits } from './fold-text.ts'
import { loadLineInputs } from './load-card-lines.ts'
import { loadReferences, loadSurroundings } from './load-surroundings.ts'
import {
  type CardInput,
  type LineInput,
  makeCard,
  makeCardOfKind,
  makeRawCard,
  staleness,
} from './make-card.ts'

/**
 * The cards of stored changes as things are now, in the order of the changes. However many there are, the statements
 * are as many. Not to be called in a transaction: a card may wait for a thread.
 */
export type LoadCards = (
  db: Database,
  changes: readonly PendingChange[],
  options?: CardOptions,
) => Promise<Card[]>

type CardOptions = {
  /** Default: those of a card; what is left out is counted in it. */
  limits?: CardLimits
  /** Whether stale drafts are compared with what changed, at the cost of a statement for each. */
  compares?: boolean
}

export function createLoadCards({ kinds, threads }: { kinds: Kinds; threads: TextThreads }): LoadCards {
  return async (db, changes, { limits, compares = false } = {}) => {
    const inputs = await loadLineInputs(db, kinds, changes, { text: true })
    const references = await loadReferences(db, kinds, inputs)
    const surroundings = await loadSurroundings(db, kinds, inputs)
    const since = await loadSince(db, inputs)
    const calls = await loadCalls(db, changes)
    const replies = await loadReplies(db, changes)
    const memory = await loadMemoryPages(db, changes)

    const cards: Card[] = []
    for (const [index, input] of inputs.entries()) {
      // Comparing a long text takes milliseconds: between two cards, others get their turn.
      if (index > 0) await setImmediate()
      const own = { ...input, references: references[index]! }
      cards.push(
        await makeWithinLimits(threads, {
          ...own,
          staleFields: compares ? await loadStaleFields(db, threads, own) : undefined,
          surroundings: surroundings[index]!,
          since: since.get(input.change.id),
          call: calls.get(input.change.entity_id) ?? null,
          reply: replies.get(input.change.entity_id) ?? null,
          isMemoryEverywhere: memory.get(input.change.entity_id) ?? null,
          limits,
        }),
      )
    }
    return cards
  }
}

const makeCardTask = textTask(new URL('./make-card.ts', import.meta.url), makeCardOfKind)

async function makeWithinLimits(threads: TextThreads, input: CardInput): Promise<Card> {
  const { change, row, kind } = input
  const names = Object.keys(change.action === 'delete' ? kind.fields.shape : change.payload)
  const sides = names.flatMap((name) => [change.payload[name], row?.[name]])
  const length = sides.reduce<number>((sum, side) => sum + textOf(side).length, 0)
  if (length <= maxMainThread) return makeCard(input)
  return (await threads.run(makeCardTask, { ...input, kind: kind.type }, length)) ?? makeRawCard(input)
}

const compareTask = textTask(new URL('./compare-stale.ts', import.meta.url), compareTexts)

type Input = LineInput & { references: Record<string, string> }

/** `undefined` for a draft that is not stale, and where the value that it was made against is not known. */
async function loadStaleFields(
  db: Queryable,
  threads: TextThreads,
  { change, kind, row, references, zone }: Input,
): Promise<StaleField[] | undefined> {
  const stale = staleness(change, row)
  if (!stale || stale.current_version === null || !row || change.action !== 'update') return undefined
  const names = Object.keys(change.payload)
  const base = await findPastFields(db, kind, row, { version: stale.base_version, fields: names })
  if (!base) return undefined

  const fields: StaleField[] = []
  for (const name of names) {
    const sides = { base: base[name], current: row[name], draft: change.payload[name] }
    const compared =
      name === kind.bodyField
        ? await threads.run(compareTask, mapSides(sides, textOf))
        : compareValues(mapSides(sides, (value) => valueWords(kind, { name, value, references, zone })))
    if (!compared) return undefined
    if (compared.places.length > 0) fields.push({ name, label: fieldLabel(name), ...compared })
  }
  return fields
}

const mapSides = <Value>(
  { base, current, draft }: Record<keyof Sides, Value>,
  words: (value: Value) => string,
): Sides => ({ base: words(base), current: words(current), draft: words(draft) })

async function loadCalls(db: Queryable, changes: readonly PendingChange[]): Promise<Map<string, CallRun>> {
  const made = changes.filter(({ action, status }) => action === 'call' && status === 'approved')
  if (made.length === 0) return new Map()
  const runs = await createCallRunsRepo(db).listByIds(made.map(({ entity_id }) => entity_id))
  return new Map(runs.map(({ call_id, ...run }) => [call_id, run]))
}

/** The memory pages among what is changed, and whether that is the one of all Spaces. */
async function loadMemoryPages(
  db: Queryable,
  changes: readonly PendingChange[],
): Promise<Map<string, boolean>> {
  const pages = changes.filter(({ entity_type, payload }) => entity_type === 'page' && 'body' in payload)
  if (pages.length === 0) return new Map()
  return await createMemoryPagesRepo(db).listAmong(pages.map(({ entity_id }) => entity_id))
}

async function loadReplies(
  db: Queryable,
  changes: readonly PendingChange[],
): Promise<Map<string, ReplyDelivery>> {
  const approved = changes.filter(
    ({ entity_type, status }) => entity_type === 'reply' && status === 'approved',
  )
  if (approved.length === 0) return new Map()
  const found = await createRepliesRepo(db).listDeliveries(approved.map(({ entity_id }) => entity_id))
  return new Map(found.map(({ reply_id, ...delivery }) => [reply_id, delivery]))
}

async function loadSince(db: Queryable, inputs: readonly LineInput[]) {
  const stale = inputs.filter(({ change, row }) => staleness(change, row)).map(({ change }) => change)
  const since = await loadChangesSince(db, stale)
  return new Map(stale.map(({ id }, index) => [id, since[index]!]))
}

/** The card of one stored change. */
export async function loadCard(
  db: Database,
  loadCards: LoadCards,
  change: PendingChange,
  options?: CardOptions,
): Promise<Card> {
  const [card] = await loadCards(db, [change], options)
  return card!
}

/** The changes, each with its card as things are now. */
export async function withCards(
  db: Database,
  loadCards: LoadCards,
  changes: readonly PendingChange[],
): Promise<PendingChangeWithCard[]> {
  const cards = await loadCards(db, changes)
  return changes.map((change, index) => ({ ...change, card: cards[index]! }))
}

export async function withCard(
  db: Database,
  loadCards: LoadCards,
  change: PendingChange,
): Promise<PendingChangeWithCard> {
  const [only] = await withCards(db, loadCards, [change])
  return only!
}

/** A change that was decided on, and the one that took its place or holds the rest of it, each with its card. */
export async function withSuccessor(
  db: Database,
  loadCards: LoadCards,
  change: PendingChange,
): Promise<DecidedChange> {
  const within = { space_ids: [change.space_id], agent_id: null }
  const next = change.superseded_by && (await createPendingChangesRepo(db).find(change.superseded_by, within))
  const [decided, successor = null] = await withCards(db, loadCards, next ? [change, next] : [change])
  return { ...decided!, successor }
}

export type CardIds = {
  space_id: string
  /** Default: any agent. */
  agent_id?: string
  ids: readonly string[]
}

/** The cards of those of the ids that are drafts in the Space, oldest first. */
export async function loadCardsByIds(
  db: Database,
  loadCards: LoadCards,
  { space_id, agent_id, ids }: CardIds,
): Promise<Card[]> {
  if (ids.length === 0) return []
  const within = { space_id, agent_id: agent_id ?? null }
  return await loadCards(db, await createPendingChangeListsRepo(db).listByIds(within, ids))
}

/** More are in the entity's history. */
const maxChanges = 20

/** A value longer than this is left out. In characters of its JSON. */
const maxValueLength = 500

/**
 * What happened to the target of each draft since the version that it was made against, newest first; in the order of
 * the drafts. One statement, none for no drafts.
 */
export async function loadChangesSince(
  db: Queryable,
  drafts: readonly PendingChange[],
): Promise<ChangeSince[][]> {
  if (drafts.length === 0) return []
  const targets = drafts.map(({ base_version, ...target }) => ({ ...target, version: base_version ?? 0 }))
  const changes = await createAuditOfDraftsRepo(db).listAfterVersions(targets, maxChanges)
  return changes.map((rows) => rows.map(toChangeSince))
}

function toChangeSince(change: LaterChange): ChangeSince {
  const { at, actor, action, version, pending_change_id, before, after } = change
  const names = Object.keys(after ?? before ?? {})
  return {
    at,
    by: actor,
    action,
    version,
    pending_change_id,
    fields: names.map((name) => {
      const sides = { before: before?.[name] ?? null, after: after?.[name] ?? null }
      const long = [sides.before, sides.after].some((value) => JSON.stringify(value).length > maxValueLength)
      return { name, ...(long ? { before: null, after: null } : sides), long }
    }),
  }
}
