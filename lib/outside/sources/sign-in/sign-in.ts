// Signing in to a source by OAuth 2.1: authorization code with PKCE, for the source as the resource. The owner begins it,
// comes back with a state that belongs to their browser session, and what the server gives is stored sealed.

import { randomBytes } from 'node:crypto'
import { hashSecret } from '../../../auth/owner-token.ts'
import type { Secrets } from '../../../auth/secrets/secrets.ts'
import { id as uuid } from '../../../contract/scalars.ts'
import { AppError, invalid, notFound } from '../../../core/errors.ts'
import { type Logger, scrubberOf } from '../../../core/logger.ts'
import { createSafeFetch, type Resolve } from '../../../core/net/safe-fetch.ts'
import type { Scrubber } from '../../../core/scrubber.ts'
import type { Database } from '../../../db/pool.ts'
import { createSourcesRepo, type SourceRow } from '../../../db/repos/sources.ts'
import { createSourceAccess, endOf, hasOwnHeader, type SourceAccess } from './access.ts'
import { discover, register, signInFailed } from './discover.ts'
import {
  createSignInRecords,
  type OAuthClient,
  type OpenSignIn,
  type SignInRecords,
} from './sign-in-record.ts'
import { redeemCode, revokeTokens } from './tokens.ts'

/** What the browser comes back with. */
export type SignInAnswer = {
  state: string
  code?: string | undefined
  iss?: string | undefined
  error?: string | undefined
}

/** Whose sign-in it is: the browser session that began it; null: the owner's token. */
type Begun = { redirectUri: string; sessionId: string | null }

export type SourceSignIn = Pick<SourceAccess, 'authorize'> & {
  /**
   * The address at which the owner signs in. Throws an `AppError`: 400 for a source that cannot be signed in to,
   * `source_failed` when its servers do not say how.
   */
  start(source: SourceRow, begun: Begun): Promise<string>
  /** The source that a state is for. Throws a 400 `AppError` unless it is open in this session. */
  check(state: string, sessionId: string | null): Promise<SourceRow>
  /** Takes what the browser came back with, once. Throws as `check`, and `source_failed` when nothing came of it. */
  finish(answer: SignInAnswer, sessionId: string | null): Promise<void>
  /** Gives the tokens back as far as the server takes them, and forgets them. Never rejects for the server. */
  signOut(source: SourceRow): Promise<void>
}

export type SourceSignInDeps = {
  database: Database
  secrets: Pick<Secrets, 'resolve' | 'ofSources'>
  logger: Logger
  now: () => Date
  /** Default: DNS. */
  resolve?: Resolve | undefined
}

const openMs = 15 * 60_000

export function createSourceSignIn(deps: SourceSignInDeps): SourceSignIn {
  const { database, secrets, logger, now } = deps
  const scrubber = scrubberOf(logger)
  const records = createSignInRecords(secrets.ofSources, scrubber)
  const network = deps.resolve ? { resolve: deps.resolve } : {}
  const fetchFor = ({ url }: SourceRow) => createSafeFetch({ chosen: url, network })
  const resolveClient = createResolveClient(secrets, scrubber)
  const findOpen = createFindOpen(deps, records)
  const access = createSourceAccess({ database, records, fetchFor, resolveClient, now })

  return {
    authorize: access.authorize,

    async start(source, begun) {
      checkKind(source)
      const fetchFn = fetchFor(source)
      const found = await discover(source.url!, fetchFn)
      const { server, resource, scope } = found
      const client = source.oauth_client_id
        ? { client_id: source.oauth_client_id, redirect_uri: begun.redirectUri, registered: false }
        : await register(server, { redirectUri: begun.redirectUri, scope, fetchFn })
      const state = `${source.id}.${randomBytes(32).toString('base64url')}`
      const { startAuthorization } = await import('@modelcontextprotocol/client')
      const { authorizationUrl, codeVerifier } = await startAuthorization(server.issuer, {
        metadata: server,
        clientInformation: client,
        redirectUrl: begun.redirectUri,
        state,
        resource,
        ...(scope === undefined ? {} : { scope }),
      })
      await records.saveOpen(source.id, {
        server,
        client,
        resource,
        code_verifier: codeVerifier,
        state_sha256: hashSecret(state),
        session_id: begun.sessionId,
        ends_at: now().getTime() + openMs,
      })
      return authorizationUrl.href
    },

    check: async (state, sessionId) => (await findOpen(state, sessionId)).source,

    async finish({ state, code, iss, error }, sessionId) {
      const { source, open } = await findOpen(state, sessionId)
      // If two callbacks carry the same state, only the first proceeds.
      if (!(await records.removeOpen(source.id))) throw signInOver()
      if (!code) throw signInFailed(describeRefusal(error))
      const { server, resource, client: known, code_verifier } = open
      scrubber.add(code, `source:${source.id}:code`)
      const client = await resolveClient(source, known)
      const at = { server, resource, client, fetchFn: fetchFor(source), now }
      const tokens = await redeemCode(at, { code, iss, code_verifier }).catch((cause: unknown) => {
        if (cause instanceof AppError) throw cause
        throw signInFailed('the authorization server did not take the answer.', cause)
      })
      await access.alone(source.id, async () => {
        await records.save(source.id, { server, resource, client: known, tokens })
        const note = { issuer: server.issuer, endsAt: endOf(tokens) }
        await createSourcesRepo(database).noteSignIn(source.id, note, now())
      })
    },

    async signOut(source) {
      const record = await access.alone(source.id, async () => {
        const stored = await records.find(source.id)
        await records.removeOpen(source.id)
        await records.remove(source.id)
        await createSourcesRepo(database).noteSignedOut(source.id)
        return stored
      })
      if (!record) return
      try {
        const client = await resolveClient(source, record.client)
        await revokeTokens({ ...record, client, fetchFn: fetchFor(source), now }, record.tokens)
      } catch (error) {
        logger.info({ err: error, source: source.id }, 'source tokens not revoked')
      }
    },
  }
}

type Found = { source: SourceRow; open: OpenSignIn }
type FindOpen = (state: string, sessionId: string | null) => Promise<Found>

const createFindOpen =
  ({ database, now }: SourceSignInDeps, records: SignInRecords): FindOpen =>
  async (state, sessionId) => {
    const id = state.slice(0, 36)
    const open = uuid.safeParse(id).success ? await records.findOpen(id) : null
    const isOurs =
      open !== null &&
      open.state_sha256 === hashSecret(state) &&
      open.session_id === sessionId &&
      open.ends_at > now().getTime()
    if (!isOurs) throw signInOver()
    const source = await createSourcesRepo(database).find(id)
    if (!source) throw notFound('source', id)
    return { source, open }
  }

function checkKind(source: SourceRow): void {
  if (source.transport !== 'http') throw invalid('This source is a program and has no sign-in.')
  if (!hasOwnHeader(source)) return
  throw invalid('The source has an Authorization header. Remove it to sign in instead.')
}

/** A secret that the owner gave is looked up each time: it may have been changed since. */
const createResolveClient =
  ({ resolve }: Pick<Secrets, 'resolve'>, scrubber: Scrubber) =>
  async ({ id, oauth_client_secret: spec }: SourceRow, client: OAuthClient): Promise<OAuthClient> => {
    if (client.registered || !spec) return client
    const client_secret = await resolve(spec)
    if (client_secret === null) throw signInFailed(`The client secret ${spec} was not found.`)
    scrubber.add(client_secret, `source:${id}:client`)
    return { ...client, client_secret }
  }

/** What the authorization server says is shown by its code alone: anybody may have written the rest. */
const describeRefusal = (error: string | undefined): string => {
  if (error === 'access_denied') return 'it was declined.'
  const code = /^[a-z_]{1,40}$/.test(error ?? '') ? ` (${error})` : ''
  return `the authorization server gave no code${code}.`
}

const signInOver = () =>
  new AppError(
    'sign_in_over',
    400,
    'This sign-in has ended or was started in another browser. Start it again in Settings → Sources.',
  )
