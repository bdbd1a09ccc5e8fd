// Loaded into a server before anything else. It notes every connection that the server opens and every process that it
// starts, in its threads too, and says what has changed in the database since it was last asked.

import childProcess from 'node:child_process'
import { appendFileSync } from 'node:fs'
import net from 'node:net'
import pg from 'pg'

/** What was there and is not, and what is there and was not, but for what turns write: tables with rows. */
export type SpyAnswer = { changes: string[] }

/** What a turn writes: its own records, and what is derived from what was said in it. */
const turnTables = [
  'conversations',
  'messages',
  'turns',
  'turn_events',
  'turn_steps',
  'tool_calls',
  'delivered_outcomes',
  'routing_decisions',
  'indexed_conversations',
  'passage_lengths',
  'side_calls',
  'job_leases',
]
/** Rows of other tables that are a turn's. */
const turnRows: Record<string, string> = {
  pending_changes: `turn_id is not null and status in ('pending', 'superseded', 'retracted')
    and space_id = (select space_id from turns where id = t.turn_id)`,
  chunks: `entity_type = 'conversation'`,
}

const file = process.env.SPY_FILE
const note = (what: string) => file && appendFileSync(file, `${what}\n`)

const { connect } = net.Socket.prototype
net.Socket.prototype.connect = function noted(this: net.Socket, ...args: unknown[]) {
  note(`connect ${targetOf(args)}`)
  return Reflect.apply(connect, this, args)
} as typeof connect

for (const name of ['spawn', 'spawnSync', 'exec', 'execFile', 'fork'] as const) {
  const original = childProcess[name]
  Reflect.set(childProcess, name, (...args: unknown[]) => {
    note(`${name} ${String(args[0])}`)
    return Reflect.apply(original, childProcess, args)
  })
}

let pool: pg.Pool | null = null
const connectPool = pg.Pool.prototype.connect
pg.Pool.prototype.connect = function remembered(this: pg.Pool, ...args: unknown[]) {
  pool = this
  return Reflect.apply(connectPool, this, args)
} as typeof connectPool

// It ends with the process that started it, however that ends.
process.on('disconnect', () => process.exit())

let before = new Map<string, number>()
process.on('message', () => {
  void takeRows().then((rows) => {
    const answer: SpyAnswer = { changes: [...lacking(before, rows, '-'), ...lacking(rows, before, '+')] }
    before = rows
    process.send?.(answer)
  })
})

/** Each row as text, with how many there are of it. */
async function takeRows(): Promise<Map<string, number>> {
  const found = await pool!.query<{ name: string }>(
    `select table_name as name
     from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const counts = new Map<string, number>()
  for (const { name } of found.rows.filter((table) => !turnTables.includes(table.name))) {
    const others = turnRows[name] ? `where not (${turnRows[name]})` : ''
    const { rows } = await pool!.query<{ text: string }>(
      `select ${textOf(name)} as text from ${name} t ${others}`,
    )
    for (const { text } of rows) counts.set(`${name} ${text}`, (counts.get(`${name} ${text}`) ?? 0) + 1)
  }
  return counts
}

/** A row by its beginning and its hash; of a passage what it says, as its columns for search may be filled in later. */
const textOf = (name: string) =>
  name === 'chunks'
    ? `concat_ws(' ', t.space_id, t.entity_type, t.entity_id, t.ordinal, md5(t.text))`
    : `left(t::text, 300) || ' ' || md5(t::text)`

const lacking = (all: Map<string, number>, some: Map<string, number>, sign: string): string[] =>
  [...all].flatMap(([row, count]) => (count > (some.get(row) ?? 0) ? [`${sign} ${row}`] : []))

function targetOf(args: unknown[]): string {
  const first = Array.isArray(args[0]) ? args[0][0] : args[0]
  if (typeof first !== 'object' || first === null) return `${String(args[1] ?? '')}:${String(first)}`
  const { host = '127.0.0.1', port, path }: { host?: unknown; port?: unknown; path?: unknown } = first
  return path ? String(path) : `${String(host)}:${String(port)}`
}
