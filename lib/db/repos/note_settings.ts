import type { NoteSettings, Template } from '../../contract/space/notes.ts'
import type { Queryable } from '../pool.ts'

/** Templates and daily notes: what the owner set, and the pages that they are. */
export function createNoteSettingsRepo(db: Queryable) {
  return {
    async find(spaceId: string): Promise<NoteSettings | null> {
      const { rows } = await db.query<NoteSettings>(
        `select templates_page, daily_title, daily_parent, daily_template
         from note_settings
         where space_id = $1`,
        [spaceId],
      )
      return rows[0] ?? null
    },

    async save(spaceId: string, settings: NoteSettings): Promise<void> {
      await db.query(
        `insert into note_settings (space_id, templates_page, daily_title, daily_parent, daily_template)
         values ($1, $2, $3, $4, $5)
         on conflict (space_id) do update
         set templates_page = excluded.templates_page, daily_title = excluded.daily_title,
             daily_parent = excluded.daily_parent, daily_template = excluded.daily_template`,
        [
          ...[spaceId, settings.templates_page, settings.daily_title],
          ...[settings.daily_parent, settings.daily_template],
        ],
      )
    },

    /** The pages right below those with a title in any case, in the order of the tree. */
    async listBelowTitled(spaceId: string, title: string, limit: number): Promise<Template[]> {
      const { rows } = await db.query<Template>(
        `select pages.id, pages.title
         from pages
         join pages parent on parent.id = pages.parent_id and parent.space_id = pages.space_id
         where pages.space_id = $1 and pages.deleted_at is null and parent.deleted_at is null
           and lower(parent.title) = lower($2)
         order by pages.position, lower(pages.title), pages.id
         limit $3`,
        [spaceId, title, limit],
      )
      return rows
    },

    /** The page of exactly that title; of several the one below `parentId`, then the oldest. */
    async findTitled(spaceId: string, title: string, parentId: string | null): Promise<string | null> {
      const { rows } = await db.query<{ id: string }>(
        `select id
         from pages
         where space_id = $1 and title = $2 and deleted_at is null
         order by parent_id is not distinct from $3::uuid desc, id
         limit 1`,
        [spaceId, title, parentId],
      )
      return rows[0]?.id ?? null
    },
  }
}
