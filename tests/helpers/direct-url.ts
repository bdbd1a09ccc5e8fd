/**
 * The address of a database without the pooler that TEST_DATABASE_URL may name: TEST_DATABASE_DIRECT_URL, with the name
 * of this database. Undefined: there is no pooler.
 */
export function directUrlOf(url: string): string | undefined {
  const direct = process.env.TEST_DATABASE_DIRECT_URL
  if (!direct) return undefined
  const changed = new URL(direct)
  changed.pathname = new URL(url).pathname
  return changed.href
}

/** What a server of its own process is told of a database; `null`: it has an embedded one. */
export function databaseEnv(url: string | null | undefined): Record<string, string> {
  if (!url) return {}
  const direct = directUrlOf(url)
  return { DATABASE_URL: url, ...(direct ? { DATABASE_DIRECT_URL: direct } : {}) }
}
