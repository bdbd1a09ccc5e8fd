// Wraps the database, the models, search and turns with telemetry. They know nothing of it.

import { type CallModel, ModelError } from '../../ai/model.ts'
import type { CurrentModel, ModelProvider } from '../../ai/models/model-provider.ts'
import type { TurnEvent } from '../../contract/events/events.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import type { Search } from '../../search/search.ts'
import { addGauge } from './metrics.ts'
import type { Telemetry } from './telemetry.ts'

type Query = Queryable['query']

/** Maximum characters of a statement in a trace. */
const maxShown = 500

/** The same database, with timed statements and transactions, and a pool that can be inspected. */
export function watchDatabase(database: Database, { metrics, trace, isTracing }: Telemetry): Database {
  const { statements, transactions } = metrics
  const { pool, engine } = database
  addGauge(
    metrics,
    { name: 'void_db_connections', help: 'Connections of the pool, by state.', label: 'state' },
    () => [
      { label: 'used', value: pool.totalCount - pool.idleCount },
      { label: 'idle', value: pool.idleCount },
    ],
  )
  addGauge(
    metrics,
    { name: 'void_db_connections_waited_for', help: 'Statements and transactions without a connection yet.' },
    () => [{ value: pool.waitingCount }],
  )
  addGauge(metrics, { name: 'void_db_connections_max', help: 'Connections that the pool may have.' }, () => [
    { value: pool.options.max },
  ])

  const timed = (query: Query): Query => {
    const run: Query = async (text, values) => {
      const end = statements.startTimer()
      try {
        const result = await query<never>(text, values)
        end({ outcome: 'ok' })
        return result
      } catch (error) {
        end({ outcome: 'error' })
        throw error
      }
    }
    if (!isTracing) return run
    const attributes = (text: string) => ({
      'db.system.name': engine === 'postgres' ? 'postgresql' : 'pglite',
      'db.query.text': text.slice(0, maxShown),
    })
    return (text, values) => trace('db.statement', attributes(text), () => run<never>(text, values))
  }

  return {
    ...database,
    query: timed(database.query),
    transaction: async (work) => {
      const end = transactions.startTimer()
      try {
        const result = await trace('db.transaction', {}, () =>
          database.transaction((tx) => work({ ...tx, query: timed(tx.query) })),
        )
        end({ outcome: 'ok' })
        return result
      } catch (error) {
        end({ outcome: 'error' })
        throw error
      }
    },
  }
}

type Role = 'answer' | 'small'

/** The same models, with timed and counted calls. The rule-based companion is not a model and costs nothing. */
export function watchModels(models: ModelProvider, telemetry: Telemetry): ModelProvider {
  return {
    current: (name) => watched(models.current(name), 'answer', telemetry),
    small() {
      const model = models.small()
      return model && watched(model, 'small', telemetry)
    },
    list: models.list,
    ...(models.probe ? { probe: models.probe } : {}),
  }
}

function watched(model: CurrentModel, role: Role, telemetry: Telemetry): CurrentModel {
  if (model.mode === 'offline') return model
  const { trace } = telemetry
  const callModel = counted(model.callModel, role, telemetry)
  const attributes = { 'gen_ai.request.model': model.name, role }
  return {
    ...model,
    callModel: (request) => trace('model.call', attributes, () => callModel(request)),
  }
}

const counted =
  (callModel: CallModel, role: Role, { metrics: { modelCalls, modelTokens } }: Telemetry): CallModel =>
  async (request) => {
    const end = modelCalls.startTimer({ role })
    try {
      const response = await callModel(request)
      end({ outcome: 'ok' })
      const { usage } = response
      modelTokens.inc({ role, kind: 'input' }, usage.input_tokens)
      modelTokens.inc({ role, kind: 'output' }, usage.output_tokens)
      modelTokens.inc({ role, kind: 'cache_read' }, usage.cache_read_input_tokens)
      modelTokens.inc({ role, kind: 'cache_write' }, usage.cache_creation_input_tokens)
      return response
    } catch (error) {
      end({ outcome: outcomeOf(error, request.signal) })
      throw error
    }
  }

function outcomeOf(error: unknown, signal: AbortSignal | undefined): string {
  if (signal?.aborted) return 'aborted'
  return error instanceof ModelError ? error.code : 'error'
}

/** The same search, with timed queries. */
export function watchSearch(search: Search, { metrics: { searches }, trace }: Telemetry): Search {
  return {
    ...search,
    query: (request) => timed(() => search.query(request)),
    show: (request, length) => timed(() => search.show(request, length)),
  }

  async function timed<Result>(run: () => Promise<Result>): Promise<Result> {
    const end = searches.startTimer()
    try {
      const result = await trace('search', {}, run)
      end({ outcome: 'ok' })
      return result
    } catch (error) {
      end({ outcome: 'error' })
      throw error
    }
  }
}

/** Events observed in a running turn's stream. */
type Followed = {
  turnId: string
  end: Promise<'ended' | 'detached'>
  subscribe(reader: (event: TurnEvent) => void): () => void
}

/** Starts a turn with `start` and observes it to its end. Must not throw. */
export type WatchTurn = (stream: Followed, start: () => void) => void

export function createWatchTurn({ metrics, trace }: Telemetry): WatchTurn {
  const { turnsStarted, turns, firstText, toolCalls } = metrics

  return (stream, start) => {
    const endTurn = turns.startTimer()
    const endWait = firstText.startTimer()
    let waits = true
    let state = 'left'
    turnsStarted.inc()
    const unsubscribe = stream.subscribe((event) => {
      if (event.type === 'delta' && waits) {
        waits = false
        endWait()
      }
      if (event.type === 'tool' && event.data.status !== 'running')
        toolCalls.inc({ status: event.data.status })
      state = stateAfter(event) ?? state
    })
    void trace('turn', { 'void.turn_id': stream.turnId }, async () => {
      start()
      await stream.end
      unsubscribe()
      endTurn({ state })
    })
  }
}

/** How a turn ended, if this was its last event. */
function stateAfter(event: TurnEvent): 'done' | 'stopped' | 'failed' | null {
  if (event.type === 'error') return 'failed'
  if (event.type !== 'done') return null
  return event.data.stop_reason === 'aborted' ? 'stopped' : 'done'
}
