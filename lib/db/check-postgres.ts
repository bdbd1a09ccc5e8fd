// Looks at a Postgres before anything is done on it: whether it answers, lets this role in, and has what Void needs.

import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { AppError } from '../core/errors.ts'
import { systemReason } from '../core/system-error.ts'
import { isConnectionFailure } from './pg-errors.ts'

/** As `server_version_num` has it. */
const minPostgres = { number: 150_000, name: '15' }
/** The first with `hnsw.iterative_scan`; sparse vectors came in 0.7. */
const minPgvector = '0.8.0'

const maxWaitMs = 30_000
const retryMs = 500
const connectTimeoutMs = 5000

export type CheckOptions = {
  url: string
  /** Called once when the server cannot be reached at first. Must not throw. */
  onWait?: ((message: string) => void) | undefined
}

/** Waits up to half a minute for a server that cannot be reached. Throws `AppError` `database_unusable`. */
export async function checkPostgres({ url, onWait = () => {} }: CheckOptions): Promise<void> {
  const end = performance.now() + maxWaitMs
  for (let tries = 0; ; tries += 1) {
    const client = createClient(url)
    const server = describeServer(client)
    try {
      await client.connect()
      const problem = findProblem(await readFacts(client), client)
      if (problem) throw unusable(`Postgres at ${server} ${problem}`)
      return
    } catch (error) {
      if (error instanceof AppError) throw error
      if (!isConnectionFailure(error)) throw unusable(explainRefusal(error, client), error)
      const reason = reasonOf(error)
      if (performance.now() > end)
        throw unusable(
          `Postgres at ${server} cannot be reached: ${reason}. Start it, or correct DATABASE_URL.`,
          error,
        )
      if (tries === 0)
        onWait(`Waiting for Postgres at ${server}: ${reason}. For at most ${maxWaitMs / 1000} seconds.`)
    } finally {
      await client.end().catch(() => {})
    }
    await wait(retryMs)
  }
}

function createClient(url: string): pg.Client {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs })
  client.on('error', () => {})
  return client
}

const describeServer = ({ host, port }: pg.Client) => `${host}:${port}`

const unusable = (message: string, cause?: unknown) =>
  new AppError('database_unusable', 500, message, { cause })

/** In one line, without a full stop. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return systemReason(error) ?? message.replace(/\s+/g, ' ').replace(/\.$/, '')
}

/** Why a server that answers does not let this role in, and what to do. */
function explainRefusal(error: unknown, client: pg.Client): string {
  const { user = '', database = '' } = client
  const advice: Record<string, string> = {
    '28P01': 'Correct the user and the password in DATABASE_URL.',
    '28000': `Create the role (createuser --pwprompt ${user}), let it in by pg_hba.conf, or correct DATABASE_URL.`,
    '3D000': `Create it (createdb --owner=${user} ${database}), or correct DATABASE_URL.`,
    '42501': `Grant it (grant connect on database ${database} to ${user}), or correct DATABASE_URL.`,
  }
  const code = error instanceof Error ? String(Reflect.get(error, 'code')) : ''
  const step = advice[code] ?? 'Correct DATABASE_URL, or the settings of that server.'
  return `Postgres at ${describeServer(client)} refused the connection: ${reasonOf(error)}. ${step}`
}

type Facts = {
  version: string
  version_number: string
  encoding: string
  read_only: boolean | string
  /** Version of pgvector in this database, and the one that the server would install. */
  installed: string | null
  available: string | null
  may_install: boolean | string
  may_create: boolean | string
}

async function readFacts(client: pg.Client): Promise<Facts> {
  const { rows } = await client.query<Facts>(
    `select
       split_part(current_setting('server_version'), ' ', 1) as version,
       current_setting('server_version_num') as version_number,
       current_setting('server_encoding') as encoding,
       pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as read_only,
       (select extversion from pg_extension where extname = 'vector') as installed,
       (select default_version from pg_available_extensions where name = 'vector') as available,
       exists (
         select
         from pg_available_extensions extension
         join pg_available_extension_versions version
           on version.name = extension.name and version.version = extension.default_version
         where extension.name = 'vector'
           and (
             not version.superuser
             or (select rolsuper from pg_roles where rolname = current_user)
             or version.trusted and has_database_privilege(current_database(), 'create')
           )
       ) as may_install,
       coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create`,
  )
  return rows[0]!
}

/** What keeps Void from this server, and what to do, as the rest of a sentence about it; `null`: nothing. */
function findProblem(facts: Facts, { user = '', database = '' }: pg.Client): string | null {
  const { version, encoding, installed, available } = facts
  const major = version.split('.')[0]
  const pgvector = installed ?? available
  const install = `Install it there (Debian: postgresql-${major}-pgvector)`
  if (Number(facts.version_number) < minPostgres.number)
    return `is Postgres ${version}, and Void needs ${minPostgres.name} or newer. Upgrade it, or set DATABASE_URL to another server.`
  if (encoding !== 'UTF8')
    return `keeps the database ${database} in the encoding ${encoding}, and Void needs UTF8. Make another one (createdb --encoding=UTF8 --template=template0 --owner=${user} NAME) and set DATABASE_URL to it.`
  if (isTrue(facts.read_only))
    return 'is read-only. Set DATABASE_URL to the primary, or turn default_transaction_read_only off.'
  if (pgvector === null) return `has no pgvector. ${install}, then start Void again.`
  if (!isAtLeast(pgvector, minPgvector)) {
    const update = installed ? ', then run as a superuser: alter extension vector update' : ''
    return `has pgvector ${pgvector}, and Void needs ${minPgvector} or newer. Upgrade the package postgresql-${major}-pgvector there${update}.`
  }
  if (!installed && !isTrue(facts.may_install))
    return `does have pgvector, but the role ${user} may not create the extension. Run as a superuser, in the database ${database}: create extension vector`
  if (!isTrue(facts.may_create))
    return `does let ${user} in, but it may not create tables in ${database}. Run as a superuser: alter database ${database} owner to ${user}`
  return null
}

/** A column of type boolean, also as text. */
const isTrue = (value: boolean | string) => value === true || value === 't'

function isAtLeast(version: string, least: string): boolean {
  const [own, other] = [version, least].map((text) =>
    text.split('.').map((part) => Number.parseInt(part, 10) || 0),
  )
  for (const [at, part] of other!.entries()) {
    const difference = (own![at] ?? 0) - part
    if (difference !== 0) return difference > 0
  }
  return true
}
