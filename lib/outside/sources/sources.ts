// The sources of Spaces: MCP servers that the owner added, and the policy for each of their tools.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { v7 as uuid } from 'uuid'
import type { SourceSecrets } from '../../auth/secrets/source-secrets.ts'
import type { Source, SourceTest } from '../../contract/sources.ts'
import { AppError, conflict, notFound } from '../../core/errors.ts'
import { isUniqueViolation } from '../../db/pg-errors.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import { createSourcesRepo, type SourceCheck, type SourceRow } from '../../db/repos/sources.ts'
import { createSpacesRepo } from '../../db/repos/spaces.ts'
import type { Connection } from './connect.ts'
import type { Connections } from './connections.ts'
import { type Sandbox, sourcesFolder } from './sandbox/sandbox.ts'
import { hasOwnHeader } from './sign-in/access.ts'
import { isSignInNeeded } from './sign-in/discover.ts'
import type { SignInAnswer, SourceSignIn } from './sign-in/sign-in.ts'
import {
  changeSettings,
  type NewSource,
  type SourceChange,
  type SourceSettings,
  toSettings,
  toSource,
} from './source-settings.ts'
import { createSourceTools, refreshTools, type SourceTools } from './source-tools.ts'
import { findWhole, hideTokens, showTokens, toStored } from './tokens-in-settings.ts'

export type Sources = SourceTools & {
  /**
   * Throws `AppError`: 404 for an unknown Space, 400 for settings that contradict each other, 409 for a taken name, and
   * `sandbox_unavailable` for a program that would run without one unasked.
   */
  create(spaceId: string, given: NewSource): Promise<Source>
  /** Throws a 404 `AppError`. */
  list(spaceId: string): Promise<Source[]>
  /** Throws a 404 `AppError`, as all below. */
  find(id: string): Promise<Source>
  update(id: string, change: SourceChange): Promise<Source>
  remove(id: string): Promise<Source>
  /** Asks it for its tools over a connection that is opened anew, and notes how it answered. */
  test(id: string): Promise<SourceTest>
  /** The address at which the owner signs in. Throws as `SourceSignIn.start`. */
  startSignIn(id: string, begun: { redirectUri: string; sessionId: string | null }): Promise<string>
  /** Signs in with what the browser came back with, and tests the source. A failure is noted at it; throws as `check`. */
  finishSignIn(answer: SignInAnswer, sessionId: string | null): Promise<void>
  signOut(id: string): Promise<Source>
}

export type SourcesDeps = {
  database: Database
  connections: Connections
  signIn: SourceSignIn
  sandbox: Pick<Sandbox, 'problem'>
  /** Where tokens of settings are. */
  secrets: SourceSecrets
  /** Where processes have their folders, see sandbox.ts. */
  dataFolder?: string | undefined
  now: () => Date
}

const maxSources = 50

export function createSources(deps: SourcesDeps): Sources {
  const { database, connections, signIn, sandbox, secrets, now } = deps
  const repo = createSourcesRepo(database)

  return {
    ...createSourceTools({ database, load }),

    async create(spaceId, given) {
      await checkSpace(database, spaceId)
      const settings = { ...(await confined(toSettings(given))), id: uuid(), space_id: spaceId }
      const row = await save(settings, (repo, source) => repo.insert(source, now(), maxSources))
      if (!row) throw conflict('too_many_sources', `A Space has at most ${maxSources} sources.`)
      return toSource(row, now())
    },

    async list(spaceId) {
      await checkSpace(database, spaceId)
      return (await repo.listOfSpace(spaceId)).map((row) => toSource(row, now()))
    },

    find: async (id) => toSource(await load(id), now()),

    async update(id, change) {
      const before = await loadWhole(id)
      const settings = await confined(changeSettings(before, change))
      // A token is for the server that it was given for, and comes from the client it was given to.
      if (isOtherServer(before, settings)) await signIn.signOut(before)
      const row = await save({ ...settings, id }, (repo, source) => repo.update(id, source, now()))
      await connections.drop(id)
      if (!row) throw notFound('source', id)
      return toSource(row, now())
    },

    async remove(id) {
      const row = await load(id)
      await signIn.signOut(row)
      await repo.remove(id)
      await connections.drop(id)
      await rm(join(sourcesFolder(deps.dataFolder), id), { recursive: true, force: true })
      return toSource(row, now())
    },

    test,

    async startSignIn(id, begun) {
      return await signIn.start(await loadWhole(id), begun)
    },

    async finishSignIn(answer, sessionId) {
      const { id } = await signIn.check(answer.state, sessionId)
      try {
        await signIn.finish(answer, sessionId)
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'source_failed') throw error
        await repo.noteCheck(id, { status: 'sign_in', error: error.message }, now())
        return
      }
      await connections.drop(id)
      await test(id)
    },

    async signOut(id) {
      await signIn.signOut(await load(id))
      await connections.drop(id)
      return toSource(await load(id), now())
    },
  }

  async function confined(settings: SourceSettings): Promise<SourceSettings> {
    const isAsked = settings.transport === 'stdio' && !settings.unconfined
    const problem = isAsked ? await sandbox.problem(settings) : null
    if (problem) throw conflict('sandbox_unavailable', problem)
    return settings
  }

  async function test(id: string): Promise<SourceTest> {
    const source = await load(id)
    try {
      const look = async (connection: Connection) => ({
        server: connection.server,
        count: await refreshTools(database, source.id, connection),
      })
      const { server, count } = await connections.use(source, look, { anew: true })
      await repo.noteCheck(id, { status: 'ok', error: null }, now())
      return { ok: true, error: null, server, tools: count }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      await repo.noteCheck(id, toCheck(error), now())
      return { ok: false, error: error.message, server: null, tools: 0 }
    }
  }

  /** With the tokens of its settings, if they can be read. */
  async function loadWhole(id: string): Promise<SourceRow> {
    const row = await load(id)
    const whole = await findWhole(secrets, row)
    return whole ? { ...row, url: whole.url, args: whole.args } : row
  }

  /** With its tokens apart. Those that could not be read stay, in case that they can be later. */
  async function save<Settings extends SourceSettings & { id: string }>(
    settings: Settings,
    store: (repo: ReturnType<typeof createSourcesRepo>, source: Settings) => Promise<SourceRow | null>,
  ): Promise<SourceRow | null> {
    const { id, name } = settings
    const { tokens, ...places } = hideTokens(settings)
    const write = (db: Queryable) => store(createSourcesRepo(db), { ...settings, ...places })
    const areUnread = showTokens(places, tokens) === null
    return await unique(name, () =>
      areUnread ? write(database) : secrets.writeWith(id, 'settings', toStored({ ...places, tokens }), write),
    )
  }

  async function load(id: string): Promise<SourceRow> {
    const row = await repo.find(id)
    if (!row) throw notFound('source', id)
    return row
  }
}

/** How a source answered that failed. */
export const toCheck = (error: AppError): SourceCheck => ({
  status: isSignInNeeded(error) ? 'sign_in' : 'failed',
  error: error.message,
})

const isOtherServer = (before: SourceSettings, after: SourceSettings): boolean =>
  (['url', 'oauth_client_id'] as const).some((name) => before[name] !== after[name]) ||
  hasOwnHeader(before) !== hasOwnHeader(after)

async function checkSpace(database: Database, spaceId: string): Promise<void> {
  if (!(await createSpacesRepo(database).find(spaceId, null))) throw notFound('Space', spaceId)
}

async function unique<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw conflict('source_exists', `This Space already has a source named ${name}.`)
  }
}
