// The token that a request to a source carries: renewed before it ends, and once more when the source refuses it.

import type { AuthProvider } from '@modelcontextprotocol/client'
import { AppError } from '../../../core/errors.ts'
import type { SafeFetch } from '../../../core/net/safe-fetch.ts'
import type { Database } from '../../../db/pool.ts'
import { createSourcesRepo, type SourceRow } from '../../../db/repos/sources.ts'
import { withLease } from '../../../jobs/run-under-lease.ts'
import { isSignInNeeded, signInFailed, signInNeeded } from './discover.ts'
import type { OAuthClient, SignInRecord, SignInRecords, Tokens } from './sign-in-record.ts'
import { renewTokens } from './tokens.ts'

export type SourceAccess = {
  /**
   * What authorizes requests to a source; null where the owner does it with a header, or over stdio. Its
   * functions reject with an `AppError` `source_failed`, for `isSignInNeeded` where only
   * the owner can help.
   */
  authorize(source: SourceRow): AuthProvider | null
  /** Runs `work` while no server renews a token of the source. */
  alone<Result>(id: string, work: () => Promise<Result>): Promise<Result>
}

export type AccessDeps = {
  database: Database
  records: SignInRecords
  fetchFor: (source: SourceRow) => SafeFetch
  /** The client with its secret. */
  resolveClient: (source: SourceRow, client: OAuthClient) => Promise<OAuthClient>
  now: () => Date
}

/** A token that ends this soon is renewed first. */
const marginMs = 30_000

export function createSourceAccess(deps: AccessDeps): SourceAccess {
  const { database, records, now } = deps
  const alone = <Result>(id: string, work: () => Promise<Result>) =>
    withLease(database, `sign-in:${id}`, work)

  return {
    authorize(source) {
      if (source.transport !== 'http' || hasOwnHeader(source)) return null
      let used: string | null = null
      return {
        async token() {
          const record = await records.find(source.id)
          if (!record) return undefined
          const tokens = isOver(record.tokens) ? await renew(source, record.tokens) : record.tokens
          used = tokens.access_token
          return used
        },

        async onUnauthorized() {
          const record = await records.find(source.id)
          if (!record) throw signInNeeded()
          // Another request has had it renewed in between.
          if (used === record.tokens.access_token) await renew(source, record.tokens)
        },
      }
    },

    alone,
  }

  function isOver({ expires_at }: Tokens): boolean {
    return expires_at !== null && expires_at - marginMs <= now().getTime()
  }

  /** A refresh token is used once: a second use ends the sign-in. Who waited uses what was renewed meanwhile. */
  async function renew(source: SourceRow, { access_token: over }: Tokens): Promise<Tokens> {
    return await alone(source.id, async () => {
      const record = await records.find(source.id)
      if (!record) throw signInNeeded()
      if (record.tokens.access_token !== over) return record.tokens
      return await renewOnce(deps, source, record)
    })
  }
}

async function renewOnce(deps: AccessDeps, source: SourceRow, record: SignInRecord): Promise<Tokens> {
  const { database, records, fetchFor, resolveClient, now } = deps
  const { refresh_token } = record.tokens
  try {
    if (!refresh_token) throw signInNeeded()
    const client = await resolveClient(source, record.client)
    const tokens = await renewTokens({ ...record, client, fetchFn: fetchFor(source), now }, refresh_token)
    await records.save(source.id, { ...record, tokens })
    await createSourcesRepo(database).noteSignInEnd(source.id, endOf(tokens))
    return tokens
  } catch (error) {
    const { OAuthError } = await import('@modelcontextprotocol/client')
    const isRefused =
      error instanceof OAuthError && /^(invalid_grant|invalid_client|unauthorized_client)$/.test(error.code)
    if (!isRefused && !isSignInNeeded(error)) {
      if (error instanceof AppError) throw error
      throw signInFailed('its authorization server did not renew access.', error)
    }
    await records.remove(source.id)
    await createSourcesRepo(database).noteSignedOut(source.id)
    throw signInNeeded()
  }
}

/** When the access ends for good; `null`: it is renewed, or nobody said. */
export const endOf = ({ refresh_token, expires_at }: Tokens): Date | null =>
  refresh_token || expires_at === null ? null : new Date(expires_at)

/** Whether the owner wrote a header that authorizes. */
export const hasOwnHeader = ({ headers }: Pick<SourceRow, 'headers'>): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
