/** What /health says. */
export type Health = {
  status: 'ok' | 'degraded'
  version: string
  database: { engine: 'pglite' | 'postgres'; reachable: boolean }
  model: { mode: 'online' | 'offline'; name: string }
  search: {
    mode: 'lexical' | 'hybrid'
    indexing: { done: number; total: number } | null
    embedding: { model: string; answering: boolean; done: number; total: number; failing: boolean } | null
  }
}
