// What Postgres and its driver say when something is wrong, by name.
// Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html

const connectionCodes = new Set([
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '53300', // too_many_connections
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'ENOENT', // no such socket
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

// pg reports these without a code.
const connectionMessages =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client was closed|read ECONNRESET|write EPIPE)/i

/** Whether the failure was of the connection and not of the statement. */
export function isConnectionFailure(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionFailure)
  if (!(error instanceof Error)) return false

  const code = codeOf(error)
  if (code && (connectionCodes.has(code) || code.startsWith('08'))) return true
  return connectionMessages.test(error.message)
}

/** As Postgres, the file system and Void itself say it. */
const diskFullCodes = ['53100', 'ENOSPC', 'EDQUOT', 'storage_full']

/** Whether a database or a file system has no room left. */
export function isDiskFull(error: unknown): boolean {
  if (diskFullCodes.includes(codeOf(error) ?? '')) return true
  return error instanceof Error && error.cause !== undefined && isDiskFull(error.cause)
}

/** Whether an embedded engine ended with this error, as when it cannot write its log: it answers nothing from then on. */
export const endsEngine = (error: unknown): boolean =>
  ['PANIC', 'FATAL'].includes(stringProperty(error, 'severity') ?? '')

export const isUniqueViolation = (error: unknown, constraint?: string) =>
  codeOf(error) === '23505' && (constraint === undefined || constraintOf(error) === constraint)

/** A table or a column that a migration has yet to make. */
export const isMissingSchema = (error: unknown) => ['42P01', '42703'].includes(codeOf(error) ?? '')

/**
 * Whether a statement was not run because the session does not know its name, as behind a pooler, or because its result
 * has other columns now, after a migration by another server.
 */
export const isStaleStatement = (error: unknown) =>
  ['26000', '42P05'].includes(codeOf(error) ?? '') ||
  (codeOf(error) === '0A000' && /cached plan/.test(stringProperty(error, 'message') ?? ''))

function codeOf(error: unknown): string | undefined {
  return stringProperty(error, 'code')
}

/** The constraint or unique index that refused the row. */
function constraintOf(error: unknown): string | undefined {
  return stringProperty(error, 'constraint')
}

function stringProperty(value: unknown, key: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const found = Reflect.get(value, key)
  return typeof found === 'string' ? found : undefined
}
