import type { Space } from '../../contract/entities.ts'
import type { Favourite } from '../../contract/space/home.ts'
import type { NoteSettings, Template } from '../../contract/space/notes.ts'
import type { Queryable } from '../pool.ts'

export type SpaceRow = Space

/** With the owner’s words to its companions, which nobody else reads and lists go without. */
export type StoredSpace = SpaceRow & { instructions: string }

export type SpaceFields = Pick<
  StoredSpace,
  'slug' | 'name' | 'description' | 'color' | 'emoji' | 'line_breaks' | 'instructions'
>

/** What the model is told of a Space. */
export type NamedSpace = Pick<StoredSpace, 'name' | 'description' | 'instructions'>

const columns = `id, slug, name, description, color, emoji, line_breaks, version, created_at, updated_at, created_by,
  updated_by, origin, deleted_at`

export function createSpacesRepo(db: Queryable) {
  return {
    /** By id, within the Spaces given (`null`: any). Deleted ones only when asked for. */
    async find(id: string, within: readonly string[] | null, deleted = false): Promise<SpaceRow | null> {
      const { rows } = await db.query<SpaceRow>(
        `select ${columns}
         from spaces
         where id = $1
           and ($2::uuid[] is null or id = any($2))
           and (deleted_at is not null) = $3`,
        [id, within, deleted],
      )
      return rows[0] ?? null
    },

    /** The names of those that are not deleted, by id. */
    async listNames(ids: readonly string[]): Promise<Map<string, string>> {
      const { rows } = await db.query<{ id: string; name: string }>(
        'select id, name from spaces where id = any($1) and deleted_at is null',
        [ids],
      )
      return new Map(rows.map(({ id, name }) => [id, name]))
    },

    async findBySlug(slug: string): Promise<SpaceRow | null> {
      const { rows } = await db.query<SpaceRow>(
        `select ${columns}
         from spaces
         where slug = $1 and deleted_at is null`,
        [slug],
      )
      return rows[0] ?? null
    },

    /** One that is not deleted. */
    async findNamed(id: string): Promise<(NamedSpace & Pick<SpaceRow, 'version'>) | null> {
      const { rows } = await db.query<NamedSpace & Pick<SpaceRow, 'version'>>(
        `select name, description, instructions, version
         from spaces
         where id = $1 and deleted_at is null`,
        [id],
      )
      return rows[0] ?? null
    },

    /** Locks the row until the transaction ends. Deleted ones included. */
    async lock(id: string): Promise<StoredSpace | null> {
      const { rows } = await db.query<StoredSpace>(
        `select ${columns}, instructions
         from spaces
         where id = $1
         for update`,
        [id],
      )
      return rows[0] ?? null
    },

    /** Newest first. */
    async list(filter: {
      within: readonly string[] | null
      deleted: boolean
      before_id: string | null
      limit: number
    }): Promise<SpaceRow[]> {
      const { rows } = await db.query<SpaceRow>(
        `select ${columns}
         from spaces
         where ($1::uuid[] is null or id = any($1))
           and (deleted_at is not null) = $2
           and ($3::uuid is null or id < $3)
         order by id desc
         limit $4`,
        [filter.within, filter.deleted, filter.before_id, filter.limit],
      )
      return rows
    },

    /** Whether there is any Space, deleted ones included: `false` only before the first start. */
    async any(): Promise<boolean> {
      const { rows } = await db.query('select from spaces limit 1')
      return rows.length > 0
    },

    /** The one of this maker that has no description, and was not changed since it was made. */
    async findUndescribed(createdBy: string): Promise<SpaceRow | null> {
      const { rows } = await db.query<SpaceRow>(
        `select ${columns}
         from spaces
         where created_by = $1 and description = '' and version = 1 and deleted_at is null`,
        [createdBy],
      )
      return rows[0] ?? null
    },

    async insert(
      space: Pick<SpaceFields, 'slug' | 'name' | 'description'> & { id: string; actor: string },
    ): Promise<SpaceRow> {
      const { rows } = await db.query<SpaceRow>(
        `insert into spaces (id, slug, name, description, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $5)
         returning ${columns}`,
        [space.id, space.slug, space.name, space.description, space.actor],
      )
      return rows[0]!
    },

    /** Stores the whole row's new values and counts the version up. The caller holds the lock. */
    async update(
      id: string,
      fields: SpaceFields & Pick<SpaceRow, 'deleted_at'>,
      actor: string,
    ): Promise<SpaceRow> {
      const { rows } = await db.query<SpaceRow>(
        `update spaces
         set slug = $2, name = $3, description = $4, instructions = $5, deleted_at = $6, updated_by = $7,
             color = $8, emoji = $9, line_breaks = $10, version = version + 1, updated_at = now()
         where id = $1
         returning ${columns}`,
        [
          ...[
            id,
            fields.slug,
            fields.name,
            fields.description,
            fields.instructions,
            fields.deleted_at,
            actor,
          ],
          ...[fields.color, fields.emoji, fields.line_breaks],
        ],
      )
      return rows[0]!
    },
  }
}

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

    /** The page of exactly that title right below another; `null`: at the top. */
    async findBelow(spaceId: string, title: string, parentId: string | null): Promise<string | null> {
      const { rows } = await db.query<{ id: string }>(
        `select id
         from pages
         where space_id = $1 and title = $2 and parent_id is not distinct from $3::uuid and deleted_at is null
         order by id
         limit 1`,
        [spaceId, title, parentId],
      )
      return rows[0]?.id ?? null
    },

    /** The parent of most pages whose title is a day, if any is. */
    async findDatedParent(spaceId: string): Promise<{ parent_id: string | null } | null> {
      const { rows } = await db.query<{ parent_id: string | null }>(
        `select parent_id
         from pages
         where space_id = $1 and deleted_at is null and title ~ '^\\d{4}-\\d\\d-\\d\\d$'
         group by parent_id
         order by count(*) desc, max(title) desc
         limit 1`,
        [spaceId],
      )
      return rows[0] ?? null
    },
  }
}

/** Favourite pages of a Space. One in the trash keeps its place. */
export function createFavouritesRepo(db: Queryable) {
  return {
    async list(spaceId: string): Promise<Favourite[]> {
      const { rows } = await db.query<Favourite>(
        `select pages.id, pages.title
         from favourites
         join pages on pages.space_id = favourites.space_id and pages.id = favourites.page_id
         where favourites.space_id = $1 and pages.deleted_at is null
         order by place, pages.id`,
        [spaceId],
      )
      return rows
    },

    /**
     * Makes these pages the favourites, in this order, and says how many of them there are in the Space. Those in the
     * trash stay what they are.
     */
    async replace(spaceId: string, pageIds: readonly string[]): Promise<number> {
      await db.query(
        `delete from favourites
         using pages
         where favourites.space_id = $1 and pages.space_id = $1 and pages.id = page_id
           and pages.deleted_at is null and page_id <> all($2)`,
        [spaceId, pageIds],
      )
      const { rows } = await db.query(
        `insert into favourites (space_id, page_id, place)
         select pages.space_id, pages.id, chosen.place
         from unnest($2::uuid[]) with ordinality as chosen (page_id, place)
         join pages on pages.space_id = $1 and pages.id = chosen.page_id and pages.deleted_at is null
         order by pages.id
         on conflict (space_id, page_id) do update set place = excluded.place
         returning page_id`,
        [spaceId, pageIds],
      )
      return rows.length
    },
  }
}
