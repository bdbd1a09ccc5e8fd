// What an account signs in with: its password, or an access token that its provider gives for a refresh token (XOAUTH2
// with the owner's own client). Access tokens are held in memory until they end; a new refresh token is stored at once.

import { z } from 'zod'
import { AppError } from '../../../core/errors.ts'
import { createSafeFetch, type SafeFetch } from '../../../core/net/safe-fetch.ts'
import { createScrubber, type Scrubber } from '../../../core/scrubber.ts'
import { readBoundedJson } from '../../../core/text/bounds.ts'
import type { Database } from '../../../db/pool.ts'
import type { MailAccountRow } from '../../../db/repos/mail_accounts.ts'
import { withLease } from '../../../jobs/run-under-lease.ts'
import { isRefusal, type MailProblem, mailProblem, type ServerAddress, stopped } from './mail-server.ts'

type Account = Pick<
  MailAccountRow,
  'id' | 'host' | 'port' | 'security' | 'username' | 'password' | 'oauth' | 'updated_at'
>

export type AccountAccess = {
  /**
   * Connects to the server of an account with what it signs in with; an access token that the server refuses is renewed
   * once. Rejects with what `connect` rejects with, or an `AppError`: `mail_stopped` where only the owner can help.
   */
  connect<Server>(
    connect: (address: ServerAddress, signal: AbortSignal) => Promise<Server>,
    account: Account,
    signal: AbortSignal,
  ): Promise<Server>
  /** Why an account could not be used, without a secret in the server's words. */
  problemOf(error: unknown): MailProblem
}

export type AccessDeps = {
  database: Database
  secrets: {
    /** What a reference names; null: there is none. */
    resolve(spec: string): Promise<string | null>
    put(name: string, value: string): Promise<void>
  }
  /** Default: knows what is signed in with. */
  scrubber?: Scrubber
  now: () => Date
  /** Calls a token endpoint. Default: over the network. */
  fetchFor?: (url: string) => SafeFetch
}

type Token = { access_token: string; ends_at: number; basis: string }

/** A token that ends this soon is renewed first. */
const marginMs = 60_000
/** Of a token whose provider does not say. */
const usualMs = 30 * 60_000

export function createAccountAccess(deps: AccessDeps): AccountAccess {
  const { now, scrubber = createScrubber() } = deps
  const tokens = new Map<string, Token>()

  return {
    async connect(connect, account, signal) {
      const { host, port, security, username, oauth } = account
      const at = { host, port, security, username }
      if (!oauth) return await connect({ ...at, password: await passwordOf(account) }, signal)
      const held = tokens.get(account.id)
      const first = await tokenOf(account)
      try {
        return await connect({ ...at, access_token: first }, signal)
      } catch (error) {
        if (!isRefusal(error)) throw error
        if (tokens.get(account.id)?.access_token === first) tokens.delete(account.id)
        // One that was only just given will not be better the second time.
        if (held?.access_token !== first) throw stopped(refusedAccess)
      }
      const second = await tokenOf(account)
      return await connect({ ...at, access_token: second }, signal).catch((error: unknown) => {
        throw isRefusal(error) ? stopped(refusedAccess) : error
      })
    },

    problemOf: (error) => mailProblem(error, scrubber.scrub),
  }

  async function passwordOf({ id, password: spec }: Account): Promise<string> {
    const password = await deps.secrets.resolve(spec)
    scrubber.add(password ?? '', `mail:${id}`)
    if (password === null) throw stopped('Its password is not stored any more. Enter it again.')
    return password
  }

  async function tokenOf(account: Account): Promise<string> {
    const { id } = account
    const basis = JSON.stringify([account.oauth, account.password, account.updated_at])
    const usable = () => {
      const known = tokens.get(id)
      return known?.basis === basis && known.ends_at - marginMs > now().getTime() ? known : null
    }
    // A refresh token is used once: a second use could end the sign-in.
    const renewed = async () => {
      const token = usable() ?? (await renew(deps, account, basis))
      tokens.set(id, token)
      scrubber.add(token.access_token, `mail:${id}:access`)
      return token
    }
    const token = usable() ?? (await withLease(deps.database, `mail-access:${id}`, renewed))
    return token.access_token
  }
}

const refusedAccess =
  'The server refused the access that the provider gave. Check the user name, and that its scope is for IMAP.'

const headerText = z.string().regex(/^[\x21-\x7e]{1,16000}$/)

const Granted = z.object({
  access_token: headerText,
  refresh_token: headerText.optional().catch(undefined),
  expires_in: z.number().positive().max(31_536_000).optional().catch(undefined),
})

const Refused = z.object({ error: z.string().regex(/^[\w.-]{1,100}$/) })

const createFetch = (url: string): SafeFetch => createSafeFetch({ chosen: url })

async function renew(
  { secrets, scrubber, now, fetchFor = createFetch }: AccessDeps,
  { id, oauth, password: spec }: Account,
  basis: string,
): Promise<Token> {
  const { token_url, client_id, client_secret: secretSpec, scope } = oauth!
  const refresh_token = await secrets.resolve(spec)
  if (refresh_token === null) throw stopped('Its refresh token is not stored any more. Enter it again.')
  const client_secret = secretSpec === null ? null : await secrets.resolve(secretSpec)
  if (secretSpec !== null && client_secret === null) {
    throw stopped('Its client secret is not stored any more. Enter it again.')
  }
  for (const secret of [refresh_token, client_secret ?? '']) scrubber?.add(secret, `mail:${id}`)
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token, client_id })
  if (client_secret) body.set('client_secret', client_secret)
  if (scope) body.set('scope', scope)
  const answer = await ask(fetchFor(token_url), token_url, body)
  const given = Granted.safeParse(answer.json).data
  if (answer.status !== 200 || !given) throw refusalOf(answer)
  if (given.refresh_token && given.refresh_token !== refresh_token)
    await keep(secrets, spec, given.refresh_token)
  const ms = given.expires_in === undefined ? usualMs : given.expires_in * 1000
  return { access_token: given.access_token, ends_at: now().getTime() + ms, basis }
}

type Answer = { status: number; json: unknown }

async function ask(fetchFn: SafeFetch, url: string, body: URLSearchParams): Promise<Answer> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
  try {
    const response = await fetchFn(url, { method: 'POST', headers, body })
    const text = await response.text()
    return { status: response.status, json: readBoundedJson(text, answerBounds) }
  } catch (cause) {
    const why = cause instanceof AppError ? ` ${cause.message}` : ''
    throw new AppError('mail_access_failed', 502, `The provider did not renew access.${why}`, { cause })
  }
}

/** What is no answer of a token endpoint is none at all. */
const answerBounds = { values: 500, depth: 20 }

/** What the provider says is shown by its code alone. */
function refusalOf({ status, json }: Answer): AppError {
  const code = Refused.safeParse(json).data?.error
  const isFinal = code !== undefined && status >= 400 && status < 500 && !passing.has(code)
  const message = `The provider did not renew access (${code ?? `status ${status}`}).`
  return isFinal
    ? stopped(`${message} Enter a new refresh token, or correct the client.`)
    : new AppError('mail_access_failed', 502, message)
}

const passing = new Set(['temporarily_unavailable', 'server_error', 'slow_down'])

/** Where the provider gives a new one each time, the old one ends. */
async function keep(secrets: AccessDeps['secrets'], spec: string, refreshToken: string): Promise<void> {
  const [, name] = /^secret:(.+)$/.exec(spec) ?? []
  if (name !== undefined) await secrets.put(name, refreshToken)
}
