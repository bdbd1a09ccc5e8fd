// Reads that go to a streaming replica, so that the primary is left to writes. Whoever reads gets at least what this
// server has written or heard of, and at least the position that the reader names, which other servers gave it: the
// replica is waited for, but not for long. Whatever else is the matter with it, the primary answers.

import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { isConnectionFailure } from './pg-errors.ts'
import { typeParsers } from './type-parsers.ts'

/** As the pool's. */
type Query = <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<pg.QueryResult<Row>>

export type Replica = {
  /**
   * Runs `work`, whose reads go to the replica if it has everything up to `position` (of another server; null: none) and
   * what this server knows of. Transactions and writes go to the primary all the same.
   */
  read<Result>(position: string | null, work: () => Promise<Result>): Promise<Result>
  /** The position up to which a reader has to see what was acknowledged by now; null: no replica, or no primary. */
  position(): Promise<string | null>
  /** What was written from here, or reported by another server, has to be seen from now on. */
  noteNews(): void
  /** The pool's `query`, which asks the replica where it may, and notes what it writes. */
  route(primary: Query): Query
  state(): ReplicaState
  close(): Promise<void>
}

type ReplicaState = {
  reads: { replica: number; behind: number; away: number }
  /** How long ago what the replica shows was true; null: not known. */
  lagSeconds(): Promise<number | null>
}

export type ReplicaOptions = {
  url: string
  maxConnections: number
  /** Asks the primary. */
  query: Query
  onError: (error: Error) => void
  /** How long a reader waits for the replica to have what it is to see. */
  maxWaitMs?: number
}

const lookMs = 10
/** After it could not be reached, nobody tries for so long. */
const awayMs = 5000

/** Without a replica everything is as the primary has it. */
export const noReplica: Replica = {
  read: (_position, work) => work(),
  position: async () => null,
  noteNews: () => {},
  route: (primary) => primary,
  state: () => ({ reads: { replica: 0, behind: 0, away: 0 }, lagSeconds: async () => null }),
  close: async () => {},
}

export function createReplica({
  url,
  maxConnections,
  query,
  onError,
  maxWaitMs = 200,
}: ReplicaOptions): Replica {
  const pool = new pg.Pool({
    connectionString: url,
    types: typeParsers,
    max: maxConnections,
    connectionTimeoutMillis: 1000,
    query_timeout: 10_000,
    keepAlive: true,
  })
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  const readers = new AsyncLocalStorage<true>()
  const reads = { replica: 0, behind: 0, away: 0 }
  let awayUntil = 0
  const ask: Query = async (text, values) => {
    try {
      return await pool.query(text, values)
    } catch (error) {
      if (isAway(error)) {
        awayUntil = performance.now() + awayMs
        onError(error)
      }
      throw error
    }
  }
  const catchUp = createCatchUp({ primary: query, replica: ask, maxWaitMs })

  return {
    async read(position, work) {
      const isAway = performance.now() < awayUntil
      const state = isAway ? 'away' : await catchUp.wait(toNumber(position))
      reads[state] += 1
      return state === 'replica' ? await readers.run(true, work) : await work()
    },
    position: catchUp.position,
    noteNews: catchUp.noteNews,
    route: (primary) => {
      const noted: Query = async (text, values) => {
        const result = await primary<never>(text, values)
        if (isWrite(text)) catchUp.noteNews()
        return result
      }
      return async (text, values) => {
        if (!readers.getStore() || !isRead(text)) return await noted(text, values)
        // Whatever failed there: it ended, it replayed what was in the way, or the statement writes. If not, it fails again.
        return await ask<never>(text, values).catch(() => noted(text, values))
      }
    },
    state: () => ({ reads, lagSeconds: () => loadLag(ask) }),
    close: () => pool.end(),
  }
}

/** It cannot be reached or does not answer; other errors are of the statement. */
const isAway = (error: unknown): error is Error =>
  error instanceof Error && (isConnectionFailure(error) || Reflect.get(error, 'code') === undefined)

type CatchUp = Pick<Replica, 'position' | 'noteNews'> & {
  /** Waits until the replica has what is known here and `wanted`; says whether it has, or cannot be asked. */
  wait(wanted: bigint | null): Promise<'replica' | 'behind' | 'away'>
}

type CatchUpParts = { primary: Query; replica: Query; maxWaitMs: number }

function createCatchUp({ primary, replica, maxWaitMs }: CatchUpParts): CatchUp {
  /** Of the primary's log; null where it has to be asked again. */
  let known: Promise<bigint | null> | null = null
  let replayed = 0n

  const loadKnown = (): Promise<bigint | null> => {
    const asked = askFor(primary, 'select pg_current_wal_flush_lsn() as at')
    known = asked
    // Not remembered, so that the next one asks again.
    void asked.then((at) => {
      if (at === null && known === asked) known = null
    })
    return asked
  }

  return {
    async position() {
      const at = await loadKnown()
      return at === null ? null : toText(at)
    },
    noteNews() {
      known = null
    },
    async wait(wanted) {
      const own = await (known ?? loadKnown())
      if (own === null) return 'away'
      const least = wanted !== null && wanted > own ? wanted : own
      const until = performance.now() + maxWaitMs
      while (replayed < least) {
        const at = await askFor(replica, 'select pg_last_wal_replay_lsn() as at')
        // A primary itself by now, or out of reach.
        if (at === null) return 'away'
        replayed = at
        if (replayed >= least) break
        if (performance.now() >= until) return 'behind'
        await wait(lookMs)
      }
      return 'replica'
    },
  }
}

/** A position that a server is asked for; null where it does not say. */
async function askFor(query: Query, text: string): Promise<bigint | null> {
  try {
    const { rows } = await query<{ at: string | null }>(text)
    return toNumber(rows[0]?.at)
  } catch {
    return null
  }
}

async function loadLag(ask: Query): Promise<number | null> {
  const { rows } = await ask<{ lag: number | null }>(
    `select case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
            else extract(epoch from now() - pg_last_xact_replay_timestamp())::float8 end as lag`,
  )
  return rows[0]?.lag ?? null
}

/** What reads may still lock or write; the replica refuses that, and the primary is asked. */
const isRead = (text: string) => /^\s*(select|with)\b/i.test(text)

/** Whether a statement may change what readers see. */
const isWrite = (text: string) => /\b(insert into|update|delete from)\b/i.test(text)

/** A position of the log, as Postgres writes it: two numbers in hexadecimal. Null for anything else. */
function toNumber(position: string | null | undefined): bigint | null {
  const parts = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(position ?? '')
  return parts && (BigInt(`0x${parts[1]}`) << 32n) + BigInt(`0x${parts[2]}`)
}

const toText = (at: bigint) => `${(at >> 32n).toString(16)}/${(at & 0xffffffffn).toString(16)}`.toUpperCase()
