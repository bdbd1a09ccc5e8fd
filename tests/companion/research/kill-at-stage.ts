// Loaded into a server before anything else: kills it with -9 where a stage of research begins or is stored, once it is
// told to. The points are statements as they go to the database, so the server itself knows nothing of this.

import pg from 'pg'

/** As it begins: nothing of the stage is stored. As it is stored: its work is done, and nothing of it has committed. */
type Point = { at: 'begins' | 'is stored'; stage: string }

let armed: Point | null = null
let seq: unknown = null

process.on('message', (message) => {
  const [at, stage] = String(message).split(':')
  armed = at === 'begins' || at === 'is stored' ? { at, stage: String(stage) } : null
})

const { query } = pg.Client.prototype

pg.Client.prototype.query = function killing(this: pg.Client, ...args: unknown[]) {
  const [given, second] = args
  const isConfig = typeof given === 'object' && given !== null && 'text' in given
  const text = String(isConfig ? given.text : given).trim()
  const values: unknown = isConfig && 'values' in given ? given.values : second
  const of = armed && Array.isArray(values) ? values : []
  const begins = text.includes('insert into research_stages') && of[4] === armed?.stage
  if (begins && armed?.at === 'begins') die()
  const result: unknown = Reflect.apply(query, this, args)
  // What is stored is named by its number, which the row had that began.
  if (begins && result instanceof Promise) result.then(({ rows }) => (seq = rows[0]?.seq))
  const stored = text.startsWith('update research_stages') && text.includes('finished_at = now()')
  if (stored && armed?.at === 'is stored' && of[1] === seq && result instanceof Promise) result.then(die)
  return result
} as typeof query

const die = () => process.kill(process.pid, 'SIGKILL')
