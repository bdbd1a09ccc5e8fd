import { hash } from 'node:crypto'

/** Statements that a connection keeps; texts beyond these, such as generated ones, are parsed each time. */
const most = 500

export type StatementNames = {
  /** Undefined for a statement that is not to be prepared. */
  nameOf(text: string): string | undefined
  /** Prepares none from now on. */
  stop(): void
}

export const noStatementNames: StatementNames = { nameOf: () => undefined, stop: () => {} }

/**
 * Gives each text a name of its own, by its hash: behind a pooler a session may hold statements of another server, and
 * none is to run in the place of another. A connection parses and plans a named one once. Measured on PGlite: 0.08 ms of
 * CPU for a read by key instead of 0.18 ms, 0.18 ms for an insert instead of 0.26 ms; on Postgres 10 ms for a turn
 * instead of 16.
 */
export function createStatementNames(): StatementNames {
  const names = new Map<string, string>()
  let stopped = false

  return {
    nameOf(text) {
      if (stopped) return undefined
      const known = names.get(text)
      if (known !== undefined || names.size >= most) return known
      const name = `void_${hash('sha256', text).slice(0, 32)}`
      names.set(text, name)
      return name
    },
    stop() {
      stopped = true
    },
  }
}
