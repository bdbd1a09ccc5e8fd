import { setImmediate } from 'node:timers/promises'
import type { CallRun, Card, ReplyDelivery } from '../../contract/changes/card.ts'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import { textOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import { createRepliesRepo } from '../../db/repos/replies.ts'
import { createCallRunsRepo } from '../../db/repos/tool_calls.ts'
import { maxMainThread, type TextThreads, textTask } from '../../jobs/workers/text-threads.ts'
import type { CardLimits } from './fold-text.ts'
import { loadChangesSince } from './load-changes-since.ts'
import { loadLineInputs } from './load-line-inputs.ts'
import { loadReferences } from './load-references.ts'
import { loadSurroundings } from './load-surroundings.ts'
import { type CardInput, makeCard, makeCardOfKind, makeRawCard } from './make-card.ts'
import { type LineInput, staleness } from './make-card-line.ts'

/**
 * The cards of stored changes as things are now, in the order of the changes. However many there are, the statements
 * are as many. `limits` left out: those of a card; what is left out is counted in it. Not to be called in a transaction:
 * a card may wait for a thread.
 */
export type LoadCards = (
  db: Database,
  changes: readonly PendingChange[],
  limits?: CardLimits,
) => Promise<Card[]>

export function createLoadCards({ kinds, threads }: { kinds: Kinds; threads: TextThreads }): LoadCards {
  return async (db, changes, limits) => {
    const inputs = await loadLineInputs(db, kinds, changes, { text: true })
    const references = await loadReferences(db, kinds, inputs)
    const surroundings = await loadSurroundings(db, kinds, inputs)
    const since = await loadSince(db, inputs)
    const calls = await loadCalls(db, changes)
    const replies = await loadReplies(db, changes)

    const cards: Card[] = []
    for (const [index, input] of inputs.entries()) {
      // Comparing a long text takes milliseconds: between two cards, others get their turn.
      if (index > 0) await setImmediate()
      cards.push(
        await makeWithinLimits(threads, {
          ...input,
          references: references[index]!,
          surroundings: surroundings[index]!,
          since: since.get(input.change.id),
          call: calls.get(input.change.entity_id) ?? null,
          reply: replies.get(input.change.entity_id) ?? null,
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

async function loadCalls(db: Queryable, changes: readonly PendingChange[]): Promise<Map<string, CallRun>> {
  const made = changes.filter(({ action, status }) => action === 'call' && status === 'approved')
  if (made.length === 0) return new Map()
  const runs = await createCallRunsRepo(db).listByIds(made.map(({ entity_id }) => entity_id))
  return new Map(runs.map(({ call_id, ...run }) => [call_id, run]))
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
  limits?: CardLimits,
): Promise<Card> {
  const [card] = await loadCards(db, [change], limits)
  return card!
}
