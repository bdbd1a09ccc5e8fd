import type { Queryable } from '../pool.ts'

export type Original = { title: string; mime: string; size: number }

export type OriginalFile = { id: string; title: string; mime: string; size: number }

/** With how its bytes begin; of one without bytes the size of its text. */
export type FileHead = OriginalFile & { head: Buffer | null }

const headBytes = 16

/** The bytes of source documents; all else about them is in the entities repo. */
export function createSourceDocsRepo(db: Queryable) {
  return {
    /** `null` when there is no such document, it is deleted, or it came without bytes. */
    async findOriginal(spaceId: string, id: string): Promise<Original | null> {
      const { rows } = await db.query<Original>(
        `select title, mime, octet_length(original) as size
         from source_docs
         where space_id = $1 and id = $2 and deleted_at is null and original is not null`,
        [spaceId, id],
      )
      return rows[0] ?? null
    },

    /** A part of the bytes of a document that has them, both ends included. */
    async loadBytes(
      spaceId: string,
      id: string,
      { from, to }: { from: number; to: number },
    ): Promise<Buffer | null> {
      const { rows } = await db.query<{ bytes: Buffer }>(
        `select substring(original from $3 for $4) as bytes
         from source_docs
         where space_id = $1 and id = $2 and original is not null`,
        [spaceId, id, from + 1, to - from + 1],
      )
      return rows[0]?.bytes ?? null
    },

    /** Those of the given ids that are in the Space and not deleted. */
    async listHeads(spaceId: string, ids: readonly string[]): Promise<FileHead[]> {
      const { rows } = await db.query<FileHead>(
        `select id, title, mime, coalesce(octet_length(original), octet_length(text)) as size,
           substring(original from 1 for $3) as head
         from source_docs
         where space_id = $1 and id = any($2::uuid[]) and deleted_at is null`,
        [spaceId, ids, headBytes],
      )
      return rows
    },

    /** Those whose bytes have a hash, the oldest first. */
    async listByHash(spaceId: string, sha256: string, limit: number): Promise<OriginalFile[]> {
      const { rows } = await db.query<OriginalFile>(
        `select id, title, mime, octet_length(original) as size
         from source_docs
         where space_id = $1 and sha256 = $2 and deleted_at is null and original is not null
         order by id
         limit $3`,
        [spaceId, sha256, limit],
      )
      return rows
    },
  }
}
