/** What /health says. */
export type Health = {
  status: 'ok' | 'degraded'
  version: string
  database: { engine: 'pglite' | 'postgres'; reachable: boolean }
  model: { mode: 'online' | 'offline'; name: string }
}
