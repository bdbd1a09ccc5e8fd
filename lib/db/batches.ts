import type pg from 'pg'
import { isConnectionFailure } from './pg-errors.ts'

/** Statements that a connection gets at once. */
const maxTogether = 8
/** A statement that took longer than this goes alone the next time, so that it holds up none behind it. */
const slowMs = 50
/** Texts remembered as slow; there are far fewer. */
const maxSlow = 500

type Entry = { statement: pg.QueryConfig } & PromiseWithResolvers<pg.QueryResult>

/**
 * Sends single statements to a Postgres server. Those asked for within one turn of the event loop, or while every
 * connection is busy, go out together over one connection, each a transaction of its own: to write to a socket and wake
 * a backend costs more than a small statement does. The pool's clients must be able to pipeline.
 */
export function createBatches(pool: pg.Pool) {
  const quick: Entry[] = []
  const alone: Entry[] = []
  const slow = new Set<string | undefined>()
  let connecting = 0
  let isScheduled = false

  return async <Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<pg.QueryResult<Row>> => {
    const entry: Entry = { statement, ...Promise.withResolvers() }
    if (slow.has(statement.text)) alone.push(entry)
    else quick.push(entry)
    if (!isScheduled) {
      isScheduled = true
      setImmediate(connectForAll)
    }
    return (await entry.promise) as pg.QueryResult<Row>
  }

  function connectForAll(): void {
    isScheduled = false
    while (connecting < alone.length + Math.ceil(quick.length / maxTogether)) void sendNext()
  }

  async function sendNext(): Promise<void> {
    connecting += 1
    const client = await pool.connect().catch((error: Error) => error)
    connecting -= 1
    const entries = quick.length > 0 ? quick.splice(0, maxTogether) : alone.splice(0, 1)
    if (client instanceof Error) for (const { reject } of entries) reject(client)
    else client.release(await send(client, entries))
  }

  /** Resolves once all are answered, with what broke the connection. */
  async function send(client: pg.PoolClient, entries: readonly Entry[]): Promise<Error | undefined> {
    let began = performance.now()
    let broken: Error | undefined
    const answers = corked(client, () => entries.map(({ statement }) => client.query(statement)))

    await Promise.all(
      entries.map(async ({ statement, resolve, reject }, at) => {
        try {
          resolve(await answers[at]!)
        } catch (error) {
          if (error instanceof Error && isConnectionFailure(error)) broken = error
          reject(error)
        }
        const answered = performance.now()
        note(statement.text, answered - began)
        began = answered
      }),
    )
    return broken
  }

  function note(text: string | undefined, tookMs: number): void {
    if (tookMs <= slowMs) slow.delete(text)
    else if (slow.size < maxSlow) slow.add(text)
  }
}

/** What `write` writes goes out as one. The stream is not in the types of pg. */
function corked<Result>(client: pg.PoolClient, write: () => Result): Result {
  const { stream } = (client as unknown as { connection: pg.Connection }).connection
  stream.cork()
  try {
    return write()
  } finally {
    stream.uncork()
  }
}
