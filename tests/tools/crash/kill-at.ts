// Loaded into a server before anything else: kills it with -9 at a named point, once it is told to. The points are
// statements as they go to the database, so the server itself knows nothing of this.

import pg from 'pg'
import { type KillPoint, killPoints } from './kill-points.ts'

let armed: KillPoint | null = null

process.on('message', (message) => {
  armed = killPoints.find(({ name }) => name === message) ?? null
})

const { query } = pg.Client.prototype

pg.Client.prototype.query = function killing(this: pg.Client, ...args: unknown[]) {
  const [statement] = args
  const text =
    typeof statement === 'object' && statement !== null && 'text' in statement
      ? String(statement.text)
      : String(statement)
  const result: unknown = Reflect.apply(query, this, args)
  if (!armed?.statement.test(text)) return result
  if (armed.when === 'sent') setImmediate(die)
  else if (result instanceof Promise) result.then(die)
  return result
} as typeof query

const die = () => process.kill(process.pid, 'SIGKILL')
