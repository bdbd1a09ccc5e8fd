// Folders that are kept in step with a Space: the connection, what both sides last agreed on, and what is being written.

import type { Queryable } from '../pool.ts'

export type FolderReview = 'off' | 'others' | 'all'

export type FolderRow = {
  id: string
  space_id: string
  path: string
  review: FolderReview
  generation: string | null
  next_generation: string | null
  root: string | null
  rules_hash: string | null
  misfit_at: string | null
  paused: boolean
  problem: string | null
  deletions_until: string | null
  held: { path: string; reason: string }[]
  files: number
  last_at: string | null
  joined: boolean
  agents: string[]
  watched: boolean
}

export type FolderEntry = {
  id: string
  path: string
  base_text: string | null
  file_text: string | null
  file_bytes: string | null
  fingerprint: string
  identity: string | null
  page_id: string | null
  page_version: number | null
  page_text: string | null
  waiting_file: string | null
  waiting_page: string | null
  pending_change_id: string | null
  review_path: string | null
  former_bytes: string | null
}

export type FolderIntent = {
  id: string
  kind: 'write' | 'move' | 'trash'
  entry_id: string
  path: string
  target: string | null
  old_hash: string | null
  new_hash: string | null
  new_text: string | null
  page_id: string | null
  page_version: number | null
  withdraws: boolean
}

export type KeptFile = {
  id: string
  path: string
  hash: string | null
  checks: number
  kept_at: string
  withdraws: boolean
}

const folderColumns = `id, space_id, path, review, generation, next_generation, root, rules_hash, misfit_at, paused,
  problem, deletions_until, held, files, last_at, joined, agents, watched`

const entryColumns = `id, path, base_text, file_text, file_bytes, fingerprint, identity, page_id, page_version, page_text,
  waiting_file, waiting_page, pending_change_id, review_path, former_bytes`

const intentColumns = `id, kind, entry_id, path, target, old_hash, new_hash, new_text, page_id, page_version, withdraws`

export function createFoldersRepo(db: Queryable) {
  return {
    async find(spaceId: string): Promise<FolderRow | null> {
      const { rows } = await db.query<FolderRow>(`select ${folderColumns} from folders where space_id = $1`, [
        spaceId,
      ])
      return rows[0] ?? null
    },

    /** Of all Spaces that are not deleted. */
    async list(): Promise<FolderRow[]> {
      const { rows } = await db.query<FolderRow>(
        `select ${folderColumns}
         from folders
         where exists (select from spaces where spaces.id = space_id and spaces.deleted_at is null)
         order by id`,
      )
      return rows
    },

    /** Connects, or connects anew: what is known of the notes goes. */
    async save(folder: Pick<FolderRow, 'id' | 'space_id' | 'path' | 'review'>): Promise<void> {
      await db.query('delete from folders where space_id = $1', [folder.space_id])
      await db.query('insert into folders (id, space_id, path, review) values ($1, $2, $3, $4)', [
        folder.id,
        folder.space_id,
        folder.path,
        folder.review,
      ])
    },

    async remove(spaceId: string): Promise<void> {
      await db.query('delete from folders where space_id = $1', [spaceId])
    },

    /** Sets the columns given. */
    async update(id: string, changes: Partial<Omit<FolderRow, 'id' | 'space_id'>>): Promise<void> {
      const names = Object.keys(changes)
      if (names.length === 0) return
      const values = Object.entries(changes).map(([name, value]) =>
        name === 'held' || name === 'agents' ? JSON.stringify(value) : value,
      )
      await db.query(
        `update folders set ${names.map((name, index) => `${name} = $${index + 2}`).join(', ')} where id = $1`,
        [id, ...values],
      )
    },
  }
}

/** What is known of the notes of one folder. */
export function createFolderEntriesRepo(db: Queryable, folderId: string) {
  return {
    async list(): Promise<FolderEntry[]> {
      const { rows } = await db.query<FolderEntry>(
        `select ${entryColumns} from folder_entries where folder_id = $1`,
        [folderId],
      )
      return rows
    },

    /** Another one after every change of an entry. */
    async digest(): Promise<string> {
      const { rows } = await db.query<{ digest: string }>(
        `select concat(count(*), ' ', sum(hash_record_extended(folder_entries, 0))) as digest
         from folder_entries
         where folder_id = $1`,
        [folderId],
      )
      return rows[0]!.digest
    },

    async listOfPages(pageIds: readonly string[]): Promise<FolderEntry[]> {
      const { rows } = await db.query<FolderEntry>(
        `select ${entryColumns} from folder_entries where folder_id = $1 and page_id = any($2)`,
        [folderId, pageIds],
      )
      return rows
    },

    async find(id: string): Promise<FolderEntry | null> {
      const { rows } = await db.query<FolderEntry>(
        `select ${entryColumns} from folder_entries where folder_id = $1 and id = $2`,
        [folderId, id],
      )
      return rows[0] ?? null
    },

    /** Those that wait for a decision of the owner. */
    async listWaiting(): Promise<FolderEntry[]> {
      const { rows } = await db.query<FolderEntry>(
        `select ${entryColumns} from folder_entries where folder_id = $1 and pending_change_id is not null`,
        [folderId],
      )
      return rows
    },

    async countWaiting(): Promise<number> {
      const { rows } = await db.query<{ count: number }>(
        `select count(*)::int as count from folder_entries
         where folder_id = $1 and pending_change_id is not null`,
        [folderId],
      )
      return rows[0]!.count
    },

    async save(...entries: FolderEntry[]): Promise<void> {
      if (entries.length === 0) return
      await db.query(
        `insert into folder_entries (folder_id, ${entryColumns})
         select $1, ${entryColumns}
         from json_populate_recordset(null::folder_entries, $2::json)
         on conflict (id) do update
         set path = excluded.path, base_text = excluded.base_text, file_text = excluded.file_text,
             file_bytes = excluded.file_bytes, fingerprint = excluded.fingerprint, identity = excluded.identity,
             page_id = excluded.page_id, page_version = excluded.page_version, page_text = excluded.page_text,
             waiting_file = excluded.waiting_file, waiting_page = excluded.waiting_page,
             pending_change_id = excluded.pending_change_id, review_path = excluded.review_path,
             former_bytes = excluded.former_bytes`,
        [folderId, JSON.stringify(entries)],
      )
    },

    async remove(ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return
      await db.query('delete from folder_entries where folder_id = $1 and id = any($2)', [folderId, ids])
    },

    async removeAll(): Promise<void> {
      await db.query('delete from folder_entries where folder_id = $1', [folderId])
    },

    async insertIntent(intent: FolderIntent): Promise<void> {
      await db.query(
        `insert into folder_intents (folder_id, ${intentColumns})
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
        [
          folderId,
          intent.id,
          intent.kind,
          intent.entry_id,
          intent.path,
          intent.target,
          intent.old_hash,
          intent.new_hash,
          intent.new_text,
          intent.page_id,
          intent.page_version,
          intent.withdraws,
        ],
      )
    },

    async listIntents(): Promise<FolderIntent[]> {
      const { rows } = await db.query<FolderIntent>(
        `select ${intentColumns} from folder_intents where folder_id = $1 order by created_at, id`,
        [folderId],
      )
      return rows
    },

    async removeIntent(id: string): Promise<void> {
      await db.query('delete from folder_intents where folder_id = $1 and id = $2', [folderId, id])
    },

    async keep({ id, path, hash, withdraws }: Omit<KeptFile, 'checks' | 'kept_at'>, at: Date): Promise<void> {
      await db.query(
        `insert into folder_kept (id, folder_id, path, hash, kept_at, withdraws)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (id) do nothing`,
        [id, folderId, path, hash, at, withdraws],
      )
    },

    async listKept(): Promise<KeptFile[]> {
      const { rows } = await db.query<KeptFile>(
        `select id, path, hash, checks, kept_at, withdraws from folder_kept where folder_id = $1 order by kept_at`,
        [folderId],
      )
      return rows
    },

    async updateKept(id: string, hash: string | null, checks: number): Promise<void> {
      await db.query('update folder_kept set hash = $3, checks = $4 where folder_id = $1 and id = $2', [
        folderId,
        id,
        hash,
        checks,
      ])
    },

    async removeKept(id: string): Promise<void> {
      await db.query('delete from folder_kept where folder_id = $1 and id = $2', [folderId, id])
    },
  }
}
