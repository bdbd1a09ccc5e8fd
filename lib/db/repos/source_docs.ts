import type { Queryable } from '../pool.ts'

export type Original = { title: string; mime: string; bytes: Buffer }

/** The bytes of source documents; all else about them is in the entities repo. */
export function createSourceDocsRepo(db: Queryable) {
  return {
    /** `null` when there is no such document, it is deleted, or it came without bytes. */
    async findOriginal(spaceId: string, id: string): Promise<Original | null> {
      const { rows } = await db.query<Original>(
        `select title, mime, original as bytes
         from source_docs
         where space_id = $1 and id = $2 and deleted_at is null and original is not null`,
        [spaceId, id],
      )
      return rows[0] ?? null
    },
  }
}
