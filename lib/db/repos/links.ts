import type { Kind } from '../../contract/entities/kind.ts'
import type { Link } from '../../contract/entities.ts'
import type { Queryable } from '../pool.ts'

export type EntityName = { name: string; source: 'title' | 'alias' | 'path' | 'former' }

type NewLink = Omit<Link, 'to_type' | 'to_id'>

type Place = { space_id: string; entity_type: string; entity_id: string }

/** Links between entities and the names they resolve by. Names are normalised by the caller. */
export function createLinksRepo(db: Queryable) {
  return {
    /** Replaces the names of the given sources and leaves the others. */
    async replaceNames(place: Place, sources: EntityName['source'][], names: EntityName[]): Promise<void> {
      await db.query(
        `with gone as (
           delete from entity_names
           where space_id = $1 and entity_id = $3 and source = any($4)
             and not (source || ':' || name = any(select s || ':' || n from unnest($5::text[], $6::text[]) as new (s, n)))
         )
         insert into entity_names (space_id, entity_type, entity_id, source, name)
         select $1, $2, $3, source, name
         from unnest($5::text[], $6::text[]) as new (source, name)
         on conflict do nothing`,
        [
          place.space_id,
          place.entity_type,
          place.entity_id,
          sources,
          names.map(({ source }) => source),
          names.map(({ name }) => name),
        ],
      )
    },

    /** The names of a new entity. */
    async insertNames(place: Place, names: EntityName[]): Promise<void> {
      await db.query(
        `insert into entity_names (space_id, entity_type, entity_id, source, name)
         select $1, $2, $3, source, name
         from unnest($4::text[], $5::text[]) as new (source, name)
         on conflict do nothing`,
        [
          place.space_id,
          place.entity_type,
          place.entity_id,
          names.map(({ source }) => source),
          names.map(({ name }) => name),
        ],
      )
    },

    /** Hides the names of a deleted entity, or shows them again; returns them. */
    async setNamesHidden(place: Place, hidden: boolean): Promise<string[]> {
      const { rows } = await db.query<{ name: string }>(
        'update entity_names set hidden = $3 where space_id = $1 and entity_id = $2 returning name',
        [place.space_id, place.entity_id, hidden],
      )
      return [...new Set(rows.map(({ name }) => name))]
    },

    /** Those of the names that something in the Space answers to, or would if it were restored. */
    async listTaken(spaceId: string, names: readonly string[]): Promise<string[]> {
      const { rows } = await db.query<{ name: string }>(
        'select distinct name from entity_names where space_id = $1 and name = any($2)',
        [spaceId, names],
      )
      return rows.map(({ name }) => name)
    },

    async removeLinks(place: Place): Promise<void> {
      await db.query('delete from links where space_id = $1 and from_id = $2', [
        place.space_id,
        place.entity_id,
      ])
    },

    /** Adds the links of an entity that has none, each resolved by name where a name fits. */
    async insertLinks(place: Place, links: NewLink[]): Promise<void> {
      if (links.length === 0) return

      await db.query(
        `insert into links (space_id, from_type, from_id, ordinal, name, label, heading, embed, to_type, to_id)
         select $1, $2, $3, link.ordinal, link.name, link.label, link.heading, link.embed,
                case when link.name = '' then $2 else target.entity_type end,
                case when link.name = '' then $3 else target.entity_id end
         from unnest($4::text[], $5::text[], $6::text[], $7::boolean[])
              with ordinality as link (name, label, heading, embed, ordinal)
         left join lateral (${bestTarget('link.name')}) as target on true`,
        [
          place.space_id,
          place.entity_type,
          place.entity_id,
          links.map(({ name }) => name),
          links.map(({ label }) => label),
          links.map(({ heading }) => heading),
          links.map(({ embed }) => embed),
        ],
      )
    },

    /** Lets go of links that came here by a name which is no longer this entity's, and gives them a new target. */
    async releaseLinks(place: Place): Promise<void> {
      await db.query(
        `update links
         set to_type = (select entity_type from (${bestTarget('links.name')}) as target),
             to_id = (select entity_id from (${bestTarget('links.name')}) as target)
         where space_id = $1 and to_id = $2 and name <> ''
           and name not in (select name from entity_names where entity_id = $2 and not hidden)`,
        [place.space_id, place.entity_id],
      )
    },

    /** Points every link by one of these names at the best of those who answer to it, whoever had it before. */
    async settleLinks(spaceId: string, names: readonly string[]): Promise<void> {
      await db.query(
        `update links
         set to_type = best.entity_type, to_id = best.entity_id
         from unnest($2::text[]) as claimed (name)
         cross join lateral (${bestTarget('claimed.name')}) as best
         where links.space_id = $1 and links.name = claimed.name and links.to_id is distinct from best.entity_id`,
        [spaceId, names],
      )
    },

    /** The entities that link by this name to what answers to it, itself included, each once. */
    async listLinkingBy(
      spaceId: string,
      name: string,
      limit: number,
    ): Promise<{ entity_type: string; entity_id: string; to_id: string }[]> {
      const { rows } = await db.query<{ entity_type: string; entity_id: string; to_id: string }>(
        `select distinct from_type as entity_type, from_id as entity_id, to_id
         from links
         where space_id = $1 and name = $2 and to_id is not null
         order by from_id
         limit $3`,
        [spaceId, name, limit],
      )
      return rows
    },

    /** How many entities link to each one by this name, in the order given. */
    async countLinkingBy(
      asked: readonly { space_id: string; entity_id: string; name: string }[],
    ): Promise<number[]> {
      const { rows } = await db.query<{ count: number }>(
        `select (
           select count(distinct from_id)
           from links
           where links.space_id = asked.space_id and to_id = asked.entity_id and links.name = asked.name
         ) as count
         from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as asked (space_id, entity_id, name, place)
         order by place`,
        [
          asked.map(({ space_id }) => space_id),
          asked.map(({ entity_id }) => entity_id),
          asked.map(({ name }) => name),
        ],
      )
      return rows.map(({ count }) => count)
    },

    /** Lets an entity answer to a name that it had, wherever nothing else does. */
    async keepName(place: Place, name: string): Promise<void> {
      await this.insertNames(place, [{ name, source: 'former' }])
      await this.settleLinks(place.space_id, [name])
    },

    async listFrom(spaceId: string, entityId: string): Promise<Link[]> {
      const { rows } = await db.query<Link>(
        `select name, label, heading, embed, to_type, to_id
         from links
         where space_id = $1 and from_id = $2
         order by ordinal`,
        [spaceId, entityId],
      )
      return rows
    },

    /** The best of those who answer to a name. */
    async resolve(spaceId: string, name: string): Promise<{ entity_type: string; entity_id: string } | null> {
      const { rows } = await db.query<{ entity_type: string; entity_id: string }>(bestTarget('$2'), [
        spaceId,
        name,
      ])
      return rows[0] ?? null
    },

    /** How many other entities link to each of the given ones; those that nothing links to are left out. */
    async countBacklinks(
      spaceIds: readonly string[],
      entityIds: readonly string[],
    ): Promise<{ space_id: string; id: string; count: number }[]> {
      const { rows } = await db.query<{ space_id: string; id: string; count: number }>(
        `select space_id, to_id as id, count(distinct from_id) as count
         from links
         where space_id = any($1) and to_id = any($2) and from_id <> to_id
         group by space_id, to_id`,
        [spaceIds, entityIds],
      )
      return rows
    },

    /** Links of several entities, in their order. */
    async listFromAll(
      spaceId: string,
      entityIds: readonly string[],
    ): Promise<(Link & { from_id: string })[]> {
      const { rows } = await db.query<Link & { from_id: string }>(
        `select from_id, name, label, heading, embed, to_type, to_id
         from links
         where space_id = $1 and from_id = any($2)
         order by from_id, ordinal`,
        [spaceId, entityIds],
      )
      return rows
    },

    /** The pages shown within an entity, and within those, down to so many steps, the nearest first. */
    async listEmbedded(
      spaceId: string,
      entityId: string,
      { steps, limit }: { steps: number; limit: number },
    ): Promise<{ id: string; title: string; body: string }[]> {
      const { rows } = await db.query<{ id: string; title: string; body: string }>(
        `with recursive embedded (id, step) as (
           select to_id, 1
           from links
           where space_id = $1 and from_id = $2 and embed and to_type = 'page'
           union
           select links.to_id, step + 1
           from embedded
           join links on links.space_id = $1 and links.from_id = embedded.id
           where links.embed and links.to_type = 'page' and step < $3
         )
         select pages.id, pages.title, pages.body
         from (select id, min(step) as step from embedded group by id) as nearest
         join pages on pages.space_id = $1 and pages.id = nearest.id
         where pages.deleted_at is null and pages.id <> $2
         order by nearest.step, pages.id
         limit $4`,
        [spaceId, entityId, steps, limit],
      )
      return rows
    },

    /** The links of a Space that lead nowhere: where they stand and by what name they look. */
    async listUnresolved(
      spaceId: string,
    ): Promise<{ entity_type: string; entity_id: string; name: string }[]> {
      const { rows } = await db.query<{ entity_type: string; entity_id: string; name: string }>(
        `select distinct from_type as entity_type, from_id as entity_id, name
         from links
         where space_id = $1 and to_id is null
         order by from_id, name`,
        [spaceId],
      )
      return rows
    },
  }
}

// Pages before other kinds, titles before aliases before paths before former names, the oldest first.
const bestTarget = (name: string) =>
  `select entity_type, entity_id
   from entity_names
   where entity_names.space_id = $1 and entity_names.name = ${name} and not hidden
   order by source = 'former', entity_type <> 'page', array_position(array['title', 'alias', 'path'], source), entity_id
   limit 1`

export type TitledBacklink = { entity_type: string; entity_id: string; title: string }

/** The entities that link to one, each once, with their titles; what is in the trash is left out. */
export async function listBacklinks(
  db: Queryable,
  kinds: readonly Kind[],
  { space_id, id }: { space_id: string; id: string },
  limit = 50,
): Promise<TitledBacklink[]> {
  const titles = kinds.map(
    ({ table, type }) => `select title
       from ${table}
       where from_type = '${type}' and space_id = $1 and id = from_id and deleted_at is null`,
  )
  const { rows } = await db.query<TitledBacklink>(
    `select from_type as entity_type, from_id as entity_id, title
     from (
       select distinct from_type, from_id
       from links
       where space_id = $1 and to_id = $2 and from_id <> $2
       order by from_id limit $3
     ) as linking
     cross join lateral (${titles.join(' union all ')}) as titled
     order by from_id`,
    [space_id, id, limit],
  )
  return rows
}
