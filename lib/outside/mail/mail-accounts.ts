// The accounts that mail of a Space comes from. Passwords are secrets; an account holds the reference.

import { v7 as uuid } from 'uuid'
import type { MailAccount, MailTest } from '../../contract/mail.ts'
import { conflict, notFound } from '../../core/errors.ts'
import { isUniqueViolation } from '../../db/pg-errors.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import { createMailAccountsRepo, type MailAccountRow } from '../../db/repos/mail_accounts.ts'
import { createMailMessagesRepo } from '../../db/repos/mail_messages.ts'
import { createMailJoinsRepo } from '../../db/repos/mail_threads.ts'
import { createMailboxesRepo } from '../../db/repos/mailboxes.ts'
import { createSpacesRepo } from '../../db/repos/spaces.ts'
import {
  changeSettings,
  foldersAfter,
  forgetSecrets,
  isOtherMailbox,
  type MailAccountChange,
  type MissingFolderDecision,
  type NewMailAccount,
  type PasswordStore,
  referencesOf,
  storeSecrets,
  toSettings,
} from './account-settings.ts'
import type { AccountAccess } from './sync/account-access.ts'
import type { MailJob } from './sync/follow-account.ts'
import { type ConnectMailServer, stopped } from './sync/mail-server.ts'
import { pickFolders, readableFolders } from './sync/sync-folder.ts'

export type MailAccounts = {
  /** Throws `AppError`: 404 for an unknown Space, 400 for settings that cannot be, 409 for an address it has. */
  create(spaceId: string, given: NewMailAccount): Promise<MailAccount>
  /** Throws a 404 `AppError`, as all below. */
  list(spaceId: string): Promise<MailAccount[]>
  /** Throws a 409 `AppError` for another mailbox while it is not said what becomes of the mail of the old one. */
  update(id: string, change: MailAccountChange): Promise<MailAccount>
  /** Decides on a folder that the server no longer has. Throws a 404 `AppError` for one that is not missing. */
  decideFolder(id: string, decision: MissingFolderDecision): Promise<MailAccount>
  /** `mail`: what becomes of the messages that only this account has. */
  remove(id: string, mail: 'keep' | 'delete'): Promise<MailAccount>
  /** Signs in and looks for the folders; says in a sentence what is wrong. */
  test(id: string): Promise<MailTest>
  /** Has it synced as soon as may be; one that stopped is tried again. */
  sync(id: string): Promise<MailAccount>
}

type MailAccountsDeps = {
  database: Database
  secrets: PasswordStore
  connect: ConnectMailServer
  access: AccountAccess
  job: Pick<MailJob, 'kick'>
  now: () => Date
}

const maxAccounts = 50

export function createMailAccounts(deps: MailAccountsDeps): MailAccounts {
  const { database, secrets, job, now } = deps
  const repo = createMailAccountsRepo(database)

  return {
    async create(spaceId, given) {
      await checkSpace(database, spaceId)
      if ((await repo.count()) >= maxAccounts) {
        throw conflict('too_many_mail_accounts', `A Space has at most ${maxAccounts} mail accounts.`)
      }
      const id = uuid()
      const references = referencesOf(id, given, null)
      const settings = toSettings(given, references)
      await storeSecrets(secrets, id, given)
      const row = await unique(settings.address, () =>
        change(database, (tx) =>
          createMailAccountsRepo(tx).insert({ ...settings, id, space_id: spaceId }, now()),
        ),
      ).catch(async (error: unknown) => {
        await forgetSecrets(secrets, id, references)
        throw error
      })
      job.kick()
      return toAccount(row)
    },

    async list(spaceId) {
      await checkSpace(database, spaceId)
      return (await repo.listOfSpace(spaceId)).map(toAccount)
    },

    async update(id, wanted) {
      const stored = await load(id)
      const settings = changeSettings(stored, wanted, referencesOf(id, wanted, stored))
      const moves = isOtherMailbox(stored, settings)
      if (moves && stored.messages > 0 && wanted.mail === undefined) throw mailboxChanged(stored)
      await storeSecrets(secrets, id, wanted)
      const state = (wanted.paused ?? isPaused(stored)) ? 'paused' : 'waiting'
      const row = await unique(settings.address, () =>
        change(database, async (tx) => {
          if (moves) await leaveMailbox(tx, stored, wanted.mail ?? 'keep')
          return await createMailAccountsRepo(tx).update(id, settings, { state, now: now() })
        }),
      )
      job.kick()
      if (!row) throw notFound('mail account', id)
      return toAccount(row)
    },

    async decideFolder(id, decision) {
      const stored = await load(id)
      const { path, action, folder } = decision
      if (stored.missing_folders.every((one) => one.path !== path)) throw notFound('missing folder', path)
      const missing = stored.missing_folders.filter((one) => one.path !== path)
      const state = isPaused(stored) ? 'paused' : 'waiting'
      const row = await database.transaction(async (tx) => {
        await createMailJoinsRepo(tx).lockSpace(stored.space_id)
        const mailboxes = createMailboxesRepo(tx)
        const gone = stored.missing_folders.map((one) => one.path)
        const read = (await mailboxes.listPaths(id)).filter((one) => !gone.includes(one))
        if (action === 'replace') await mailboxes.replaceFolder(id, path, folder!)
        else await mailboxes.leaveFolder(id, path, action)
        if (action === 'delete') await createMailMessagesRepo(tx).deleteLost(id)
        const accounts = createMailAccountsRepo(tx)
        await accounts.noteMissingFolders(id, missing)
        const folders = foldersAfter(stored, decision, read)
        return await accounts.update(id, { ...stored, folders }, { state, now: now() })
      })
      job.kick()
      if (!row) throw notFound('mail account', id)
      return toAccount(row)
    },

    async remove(id, mail) {
      const row = await load(id)
      await database.transaction(async (tx) => {
        // A sync that is storing messages ends first, and none begins.
        await createMailJoinsRepo(tx).lockSpace(row.space_id)
        await createMailMessagesRepo(tx).leaveAccount(id, mail)
        await createMailAccountsRepo(tx).remove(id)
      })
      await forgetSecrets(secrets, id, {
        password: row.password,
        client_secret: row.oauth?.client_secret ?? null,
      })
      job.kick()
      return toAccount(row)
    },

    test: async (id) => await testAccount(deps, await load(id)),

    async sync(id) {
      await load(id)
      const row = await repo.requestSync(id, now())
      job.kick()
      if (!row) throw notFound('mail account', id)
      return toAccount(row)
    },
  }

  async function load(id: string): Promise<MailAccountRow> {
    const row = await repo.find(id)
    if (!row) throw notFound('mail account', id)
    return row
  }
}

/** Runs a change of an account; which messages the owner wrote is worked out anew with it. */
async function change<Row extends MailAccountRow | null>(
  database: Database,
  work: (tx: Queryable) => Promise<Row>,
): Promise<Row> {
  return await database.transaction(async (tx) => {
    const row = await work(tx)
    if (!row) return row
    const own = await createMailAccountsRepo(tx).ownAddresses(row.space_id)
    await createMailMessagesRepo(tx).redirect(row.space_id, [...own])
    return row
  })
}

/** Also while it is synced once. */
const isPaused = ({ state, sync_once }: MailAccountRow): boolean => state === 'paused' || sync_once

/** What was read of the mailbox so far is no longer the account's. */
async function leaveMailbox(tx: Queryable, account: MailAccountRow, mail: 'keep' | 'delete'): Promise<void> {
  const { id, space_id, address, aliases } = account
  // A sync that is storing messages ends first.
  await createMailJoinsRepo(tx).lockSpace(space_id)
  const mailboxes = createMailboxesRepo(tx)
  await mailboxes.leave(id, mail)
  await mailboxes.removeFolders(id)
  await mailboxes.forgetMarks(
    space_id,
    [address, ...aliases].map((one) => one.toLowerCase()),
  )
  await createMailAccountsRepo(tx).noteMissingFolders(id, [])
}

const mailboxChanged = ({ messages }: MailAccountRow) =>
  conflict(
    'mailbox_changed',
    `Another host, port or user name is another mailbox. Choose whether the ${messages} messages of the old one are kept or removed.`,
  )

function toAccount({
  password: _,
  stamp: __,
  sync_once: ___,
  oauth,
  ...account
}: MailAccountRow): MailAccount {
  if (!oauth) return { ...account, oauth }
  const { token_url, client_id, scope, client_secret } = oauth
  return { ...account, oauth: { token_url, client_id, scope, has_client_secret: client_secret !== null } }
}

async function unique<Result>(address: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw conflict('mail_account_exists', `This Space already has an account for ${address}.`)
  }
}

const testMs = 30_000

const maxAvailable = 300

type TestDeps = { access: AccountAccess; connect: ConnectMailServer }

/** Signs in, looks for the folders and opens one; says in a sentence what is wrong. */
async function testAccount(deps: TestDeps, row: MailAccountRow): Promise<MailTest> {
  try {
    return { ok: true, error: null, ...(await findFolders(deps, row)) }
  } catch (error) {
    return { ok: false, error: deps.access.problemOf(error).message, folders: [], available: [] }
  }
}

async function findFolders(
  { access, connect }: TestDeps,
  row: MailAccountRow,
): Promise<Pick<MailTest, 'folders' | 'available'>> {
  const server = await access.connect(connect, row, AbortSignal.timeout(testMs))
  try {
    const listed = await server.listFolders()
    const folders = pickFolders(listed, row.folders)
    if (!folders[0]) throw stopped('It signed in, but none of the chosen folders is there.')
    await server.open(folders[0])
    const available = readableFolders(listed).map(({ path }) => path)
    return { folders, available: available.slice(0, maxAvailable) }
  } finally {
    await server.close()
  }
}

/** Throws a 404 `AppError` for a Space that is not there. */
export async function checkSpace(db: Queryable, spaceId: string): Promise<void> {
  if (!(await createSpacesRepo(db).find(spaceId, null))) throw notFound('Space', spaceId)
}
