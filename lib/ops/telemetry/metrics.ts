// Prometheus metrics of this server. Labels have few, predefined values: never user text, nor a name or id of a Space,
// a page or a tool.

import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Seconds: from a statement by key to an answer that takes minutes. */
const shortBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const longBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600]

export type Metrics = ReturnType<typeof createMetrics>

/** A registry of its own, so that several servers of one process (as tests have them) do not share counts. */
export function createMetrics() {
  const register = new Registry()
  const registers = [register]

  return {
    register,
    turnsStarted: new Counter({
      registers,
      name: 'void_turns_started_total',
      help: 'Turns that began on this server, or were resumed on it.',
    }),
    turns: new Histogram({
      registers,
      name: 'void_turn_duration_seconds',
      labelNames: ['state'],
      buckets: longBuckets,
      help: 'Turns that ended on this server, by state: done, failed, stopped, or left to another server.',
    }),
    firstText: new Histogram({
      registers,
      name: 'void_turn_first_text_seconds',
      buckets: [...shortBuckets, 30, 60, 120],
      help: 'From the start of a turn to the first piece of its answer.',
    }),
    toolCalls: new Counter({
      registers,
      name: 'void_tool_calls_total',
      labelNames: ['status'],
      help: 'Tool calls of turns that finished, by status: done or error.',
    }),
    modelCalls: new Histogram({
      registers,
      name: 'void_model_call_duration_seconds',
      labelNames: ['role', 'outcome'],
      buckets: longBuckets,
      help: 'Model calls by role (answer, small) and outcome: ok, aborted, or the code of the error.',
    }),
    modelTokens: new Counter({
      registers,
      name: 'void_model_tokens_total',
      labelNames: ['role', 'kind'],
      help: 'Tokens by role and kind: input, output, cache_read, cache_write.',
    }),
    searches: new Histogram({
      registers,
      name: 'void_search_duration_seconds',
      labelNames: ['outcome'],
      buckets: shortBuckets,
      help: 'Searches by people, companions and agents, by outcome: ok or error.',
    }),
    statements: new Histogram({
      registers,
      name: 'void_db_statement_duration_seconds',
      labelNames: ['outcome'],
      buckets: shortBuckets,
      help: 'Database statements, the wait for a connection included, by outcome: ok or error.',
    }),
    transactions: new Histogram({
      registers,
      name: 'void_db_transaction_duration_seconds',
      labelNames: ['outcome'],
      buckets: shortBuckets,
      help: 'Database transactions from the wait for a connection to the end, by outcome: ok or error.',
    }),
    requests: new Histogram({
      registers,
      name: 'void_http_request_duration_seconds',
      labelNames: ['method', 'status'],
      buckets: shortBuckets,
      help: 'Requests answered in one piece, by method and class of status (2xx, 4xx, …). Streams are not timed.',
    }),
    streams: new Gauge({ registers, name: 'void_http_streams_open', help: 'Event streams that are open.' }),
  }
}

/** The values of a gauge at this moment, each with its label. */
type Reading = { label?: string; value: number }[]

/** Adds a gauge that is read when the metrics are requested. If a reading fails, the gauge is omitted. */
export function addGauge(
  { register }: Pick<Metrics, 'register'>,
  { name, help, label }: { name: string; help: string; label?: string },
  read: () => Promise<Reading> | Reading,
): void {
  new Gauge({
    registers: [register],
    name,
    help,
    labelNames: label ? [label] : [],
    async collect() {
      this.reset()
      const values = await Promise.resolve()
        .then(read)
        .catch(() => [])
      // Without labels a gauge that was reset is 0, which nobody has read.
      if (values.length === 0 && !label) this.remove()
      for (const { label: of, value } of values) {
        if (label && of !== undefined) this.set({ [label]: of }, value)
        else this.set(value)
      }
    },
  })
}
