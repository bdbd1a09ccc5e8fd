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

export const isUniqueViolation = (error: unknown, constraint?: string) =>
  codeOf(error) === '23505' && (constraint === undefined || constraintOf(error) === constraint)

export const isForeignKeyViolation = (error: unknown) => codeOf(error) === '23503'

export const isCheckViolation = (error: unknown) => codeOf(error) === '23514'

/** A table or a column that a migration has yet to make. */
export const isMissingSchema = (error: unknown) => ['42P01', '42703'].includes(codeOf(error) ?? '')

/** Errors after which the same transaction may simply be tried again: serialization failure, deadlock. */
export const isRetryable = (error: unknown) => ['40001', '40P01'].includes(codeOf(error) ?? '')

function codeOf(error: unknown): string | undefined {
  return stringProperty(error, 'code')
}

/** The constraint or unique index that refused the row. */
export function constraintOf(error: unknown): string | undefined {
  return stringProperty(error, 'constraint')
}

function stringProperty(value: unknown, key: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const found = Reflect.get(value, key)
  return typeof found === 'string' ? found : undefined
}
