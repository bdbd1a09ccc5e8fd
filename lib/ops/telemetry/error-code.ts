/** What kind of error it was: our own code or that of Postgres or Node, else its class. Never its message. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code: unknown = Reflect.get(error, 'code')
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : error.name.slice(0, 40)
}
