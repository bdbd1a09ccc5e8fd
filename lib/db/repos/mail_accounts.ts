import type { MailAccount, MailAccountState, MissingFolder } from '../../contract/mail.ts'
import type { Queryable } from '../pool.ts'

/** Where the access tokens of an account come from. */
type MailOAuth = {
  token_url: string
  client_id: string
  /** Empty: none is asked for. */
  scope: string
  /** A reference to the secret; null: it has none. */
  client_secret: string | null
}

export type MailAccountRow = Omit<MailAccount, 'oauth'> & {
  oauth: MailOAuth | null
  /** A reference to the secret. */
  password: string
  /** Whether it is synced once, and paused after that. */
  sync_once: boolean
  /** By which one can tell that its settings changed or a sync was asked for. */
  stamp: string
}

export type MailSettings = Pick<
  MailAccountRow,
  | 'address'
  | 'aliases'
  | 'host'
  | 'port'
  | 'security'
  | 'username'
  | 'password'
  | 'folders'
  | 'drafts_allowed'
  | 'oauth'
>

/** What an account reads. */
export type Mailbox = Pick<MailAccountRow, 'id' | 'host' | 'port' | 'username' | 'folders'>

const columns = `id, space_id, address, aliases, host, port, security, username, password, folders, drafts_allowed, oauth,
  missing_folders, state, error, sync_once,
  last_sync_at, created_at, updated_at,
  concat_ws(' ', updated_at, sync_requested_at) as stamp,
  (select count(*)::integer from mail_messages where account_id = mail_accounts.id and deleted_at is null) as messages,
  (select count(*)::integer from mail_locations
   join mail_folders on mail_folders.id = folder_id
   where mail_folders.account_id = mail_accounts.id and problem is not null) as unreadable`

const ofLiveSpace =
  'exists (select from spaces where spaces.id = mail_accounts.space_id and deleted_at is null)'

/** Accounts of mail, in Spaces that are not in the trash. */
export function createMailAccountsRepo(db: Queryable) {
  return {
    async listOfSpace(spaceId: string): Promise<MailAccountRow[]> {
      const { rows } = await db.query<MailAccountRow>(
        `select ${columns} from mail_accounts where space_id = $1 and ${ofLiveSpace} order by created_at limit 100`,
        [spaceId],
      )
      return rows
    },

    async find(id: string): Promise<MailAccountRow | null> {
      const { rows } = await db.query<MailAccountRow>(
        `select ${columns} from mail_accounts where id = $1 and ${ofLiveSpace}`,
        [id],
      )
      return rows[0] ?? null
    },

    /** Those that are to be synced. */
    async listActive(limit: number): Promise<{ id: string; stamp: string }[]> {
      const { rows } = await db.query<{ id: string; stamp: string }>(
        `select id, concat_ws(' ', updated_at, sync_requested_at) as stamp
         from mail_accounts
         where state not in ('paused', 'stopped') and ${ofLiveSpace}
         order by created_at
         limit $1`,
        [limit],
      )
      return rows
    },

    async count(): Promise<number> {
      const { rows } = await db.query<{ count: number }>(
        'select count(*)::integer as count from mail_accounts',
      )
      return rows[0]!.count
    },

    /** Throws a unique violation for an address that the Space has. */
    async insert(
      account: MailSettings & Pick<MailAccountRow, 'id' | 'space_id'>,
      now: Date,
    ): Promise<MailAccountRow> {
      const { id, space_id, address, aliases, host, port, security, username, password, folders } = account
      const { drafts_allowed, oauth } = account
      const { rows } = await db.query<MailAccountRow>(
        `insert into mail_accounts
           (id, space_id, address, aliases, host, port, security, username, password, folders, created_at, updated_at,
            drafts_allowed, oauth)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12, $13)
         returning ${columns}`,
        [
          ...[id, space_id, address, aliases, host, port, security, username, password, folders, now],
          drafts_allowed,
          oauth && JSON.stringify(oauth),
        ],
      )
      return rows[0]!
    },

    /** Throws a unique violation for an address that the Space has. */
    async update(
      id: string,
      {
        address,
        aliases,
        host,
        port,
        security,
        username,
        password,
        folders,
        drafts_allowed,
        oauth,
      }: MailSettings,
      { state, now }: { state: MailAccountState; now: Date },
    ): Promise<MailAccountRow | null> {
      const { rows } = await db.query<MailAccountRow>(
        `update mail_accounts
         set address = $2, aliases = $3, host = $4, port = $5, security = $6, username = $7, password = $8,
             folders = $9, state = $10, error = null, updated_at = $11, drafts_allowed = $12, oauth = $13,
             sync_once = false
         where id = $1
         returning ${columns}`,
        [
          ...[id, address, aliases, host, port, security, username, password, folders, state, now],
          drafts_allowed,
          oauth && JSON.stringify(oauth),
        ],
      )
      return rows[0] ?? null
    },

    /** Has it synced soon; a paused one once. */
    async requestSync(id: string, now: Date): Promise<MailAccountRow | null> {
      const { rows } = await db.query<MailAccountRow>(
        `update mail_accounts
         set sync_requested_at = $2, sync_once = sync_once or state = 'paused', state = 'waiting', error = null
         where id = $1
         returning ${columns}`,
        [id, now],
      )
      return rows[0] ?? null
    },

    /**
     * Says what its sync is at, unless its stamp is another one by now; `syncedAt`: all was up to date then. Whether that
     * is news.
     */
    async noteState(
      { id, stamp }: Pick<MailAccountRow, 'id' | 'stamp'>,
      { state, error = null, syncedAt = null }: NewState,
    ): Promise<boolean> {
      const { rows } = await db.query<{ is_new: boolean }>(
        `with before as (
           select state, error, last_sync_at from mail_accounts where id = $1 for update
         )
         update mail_accounts
         set state = $2, error = $3, last_sync_at = coalesce($4, mail_accounts.last_sync_at),
             sync_once = sync_once and $2 <> 'paused'
         from before
         where id = $1 and concat_ws(' ', updated_at, sync_requested_at) = $5
         returning (before.state, before.error) is distinct from ($2::text, $3::text) as is_new`,
        [id, state, error, syncedAt, stamp],
      )
      return rows[0]?.is_new ?? false
    },

    /** Whether that is news. */
    async noteMissingFolders(id: string, missing: readonly MissingFolder[]): Promise<boolean> {
      const { rows } = await db.query(
        `update mail_accounts
         set missing_folders = $2::jsonb
         where id = $1 and missing_folders <> $2::jsonb
         returning 1`,
        [id, JSON.stringify(missing)],
      )
      return rows.length > 0
    },

    /** Whether an account still reads this; it does until the transaction ends. */
    async lockMailbox({ id, host, port, username, folders }: Mailbox): Promise<boolean> {
      const { rows } = await db.query(
        `select from mail_accounts
         where id = $1 and (host, port, username) = ($2, $3, $4) and folders is not distinct from $5::text[]
         for share`,
        [id, host, port, username, folders],
      )
      return rows.length > 0
    },

    async remove(id: string): Promise<void> {
      await db.query('delete from mail_accounts where id = $1', [id])
    },

    /** All addresses of the owner in a Space, in lower case. */
    async ownAddresses(spaceId: string): Promise<Set<string>> {
      const { rows } = await db.query<{ address: string }>(
        `select lower(address) as address from mail_accounts where space_id = $1
         union
         select lower(alias) from mail_accounts, unnest(aliases) as alias where space_id = $1`,
        [spaceId],
      )
      return new Set(rows.map(({ address }) => address))
    },
  }
}

export type NewState = { state: MailAccountState; error?: string | null; syncedAt?: Date | null }
