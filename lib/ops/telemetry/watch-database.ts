import type { Database, Queryable } from '../../db/pool.ts'
import { addGauge } from './metrics.ts'
import type { Telemetry } from './telemetry.ts'

type Query = Queryable['query']

/** Characters of a statement that a trace shows. */
const maxShown = 500

/** The same database, whose statements and transactions are timed, and whose pool can be looked at. */
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
          database.transaction((tx) => work({ query: timed(tx.query) })),
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
