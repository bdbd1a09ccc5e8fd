// Why an account can't be read, in words for its owner.

import { AppError } from '../../errors.ts'
import { cleanLine } from '../../text/clean.ts'

export type MailProblem = {
  message: string
  /** Whether trying again changes nothing until the owner does something. */
  stops: boolean
}

const byCode: Record<string, string> = {
  ECONNREFUSED: 'Nothing answers at this host and port. Check the port.',
  ENOTFOUND: 'This host does not exist. Check its name.',
  EAI_AGAIN: 'The host’s name could not be looked up. Check the network.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network cannot be reached.',
  ETIMEDOUT: 'The host does not answer.',
  CONNECT_TIMEOUT: 'The host does not answer.',
  GREETING_TIMEOUT: 'What answers there is no mail server, or it expects another kind of security.',
  UPGRADE_TIMEOUT: 'The server did not finish setting up TLS.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'The server does not speak TLS on this port. Try STARTTLS, or another port.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG:
    'The server does not speak TLS on this port. Try STARTTLS, or another port.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The server’s certificate is for another host. Check the host’s name.',
  CERT_HAS_EXPIRED: 'The server’s certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The server’s certificate is signed by nobody known.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The server’s certificate is signed by nobody known.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The server’s certificate is signed by nobody known.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The server’s certificate is signed by nobody known.',
  NoConnection: 'The connection was lost.',
  EConnectionClosed: 'The connection was lost.',
  ECONNRESET: 'The connection was lost.',
  ClosedAfterConnectTLS: 'The server closed the connection at once.',
  ClosedAfterConnectText: 'The server closed the connection at once.',
  LiteralTooLarge: 'The server sent more than it was asked for.',
  ResponseTooLarge: 'The server sent more than it was asked for.',
  LineTooLarge: 'The server sent more than it was asked for.',
}

/** `error` is what a server’s connection rejected with, or an `AppError` of Void's own. */
export function mailProblem(error: unknown): MailProblem {
  if (error instanceof AppError) return { message: error.message, stops: error.code === 'mail_stopped' }
  const said = cleanLine(textOf(error, 'responseText') ?? '').slice(0, 200)
  if (isRefusal(error)) {
    const words = said === '' ? '' : ` It says: ${said}`
    return { message: `The server refused the user name or the password.${words}`, stops: true }
  }
  const code = textOf(error, 'code')
  const known = code === null ? undefined : byCode[code]
  if (known) return { message: known, stops: false }
  if (isSsl(code)) return { message: 'TLS with the server failed. Check port and security.', stops: false }
  const words = said || cleanLine(error instanceof Error ? error.message : '').slice(0, 200)
  return { message: `The server failed.${words === '' ? '' : ` It says: ${words}`}`, stops: false }
}

/** The owner has to do something about it. */
export const stopped = (message: string) => new AppError('mail_stopped', 422, message)

/** Whether a server refused the sign-in for good. */
export const isRefusal = (error: unknown): boolean =>
  Reflect.get(Object(error), 'authenticationFailed') === true && !isPassing(error)

/** RFC 5530: the server can't tell now whether the password is right. */
const isPassing = (error: unknown): boolean =>
  ['UNAVAILABLE', 'INUSE', 'LIMIT'].includes(textOf(error, 'serverResponseCode') ?? '')

const isSsl = (code: string | null): boolean => code?.startsWith('ERR_SSL') || code === 'EPROTO'

const textOf = (error: unknown, name: string): string | null => {
  const value: unknown = Reflect.get(Object(error), name)
  return typeof value === 'string' ? value : null
}
