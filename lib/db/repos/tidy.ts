import type { Queryable } from '../pool.ts'

export type BrokenLink = { page_id: string; target: string }
export type SamePages = { ids: string[]; titles: string[]; paths: string[]; linked: boolean[]; body: string }
export type NamedPage = { id: string; title: string }
export type PlacedPage = NamedPage & { path: string }
export type PageText = NamedPage & { body: string }

/** What a Space may have to be tidied, each list up to a limit. */
export function createTidyRepo(db: Queryable) {
  const all = async <Row extends object>(text: string, values: unknown[]): Promise<Row[]> =>
    (await db.query<Row>(text, values)).rows

  return {
    /** Links of pages that lead nowhere, by their names as written. */
    listBroken: (spaceId: string, limit: number) =>
      all<BrokenLink>(
        `select distinct from_id as page_id, coalesce(target, name) as target
         from links
         join pages on pages.space_id = links.space_id and pages.id = from_id and deleted_at is null
         where links.space_id = $1 and from_type = 'page' and to_id is null and coalesce(form, 'wiki') = 'wiki'
         order by page_id, target
         limit $2`,
        [spaceId, limit],
      ),

    /** Pages with a text: a folder of an import is a page without one. */
    listTitles: (spaceId: string, limit: number) =>
      all<PlacedPage>(
        `select id, title, coalesce(path, '') as path
         from pages
         where space_id = $1 and deleted_at is null and body ~ '\\S'
         order by id
         limit $2`,
        [spaceId, limit],
      ),

    listTexts: (spaceId: string, ids: readonly string[]) =>
      all<PageText>(
        'select id, title, body from pages where space_id = $1 and id = any($2) and deleted_at is null',
        [spaceId, ids],
      ),

    /** Pages with the same text, oldest first, each with whether anything links to it or is below it. */
    listSameTexts: (spaceId: string, limit: number) =>
      all<SamePages>(
        `select array_agg(id::text order by created_at, id) as ids, array_agg(title order by created_at, id) as titles,
           array_agg(coalesce(path, '') order by created_at, id) as paths,
           array_agg(
             exists (select from links where links.space_id = $1 and to_id = pages.id)
               or exists (select from pages as child where child.space_id = $1 and child.parent_id = pages.id)
             order by created_at, id
           ) as linked,
           left(min(body), 5000) as body
         from pages
         where space_id = $1 and deleted_at is null and length(btrim(body)) > 20
         group by md5(body)
         having count(*) > 1
         order by min(created_at)
         limit $2`,
        [spaceId, limit],
      ),

    /**
     * Titles, without regard to case, that several pages with a text have below one page, or that a link gives which could
     * mean any of them.
     */
    listSameTitles: (spaceId: string, limit: number) =>
      all<{ title: string; count: number }>(
        `select min(title) as title, count(*)::integer as count
         from pages
         where space_id = $1 and deleted_at is null and body ~ '\\S'
         group by lower(title)
         having count(*) > 1
           and (
             count(*) > count(distinct coalesce(parent_id, space_id))
             or exists (
               select from links
               where links.space_id = $1 and from_type = 'page' and coalesce(form, 'wiki') = 'wiki'
                 and lower(coalesce(target, name)) = lower(min(title))
             )
           )
         order by 1
         limit $2`,
        [spaceId, limit],
      ),

    /** Pages that nothing links to, that link to nothing, and that are in no tree; what repositories have at their top is meant to be so. */
    listOrphans: (spaceId: string, limit: number) =>
      all<NamedPage>(
        `select id, title
         from pages
         where space_id = $1 and deleted_at is null and parent_id is null
           and title !~* '^(readme|license|changelog|contributing|code[ _]of[ _]conduct)$'
           and not exists (select from links where links.space_id = $1 and (to_id = pages.id or from_id = pages.id))
           and not exists (select from pages as child where child.space_id = $1 and child.parent_id = pages.id)
         order by id
         limit $2`,
        [spaceId, limit],
      ),

    listUntitled: (spaceId: string, limit: number) =>
      all<PageText>(
        `select id, title, left(body, 2000) as body
         from pages
         where space_id = $1 and deleted_at is null and title ~* '^\\s*(untitled|no title|new page)?\\s*[0-9]*\\s*$'
           and title !~ '^\\s*[0-9]+\\s*$' and btrim(body) <> ''
         order by id
         limit $2`,
        [spaceId, limit],
      ),

    listOpenTasks: (spaceId: string, limit: number) =>
      all<NamedPage>(
        `select id, title
         from tasks
         where space_id = $1 and deleted_at is null and status in ('open', 'in_progress') and recurrence is null
         order by id
         limit $2`,
        [spaceId, limit],
      ),

    /** Pages with boxes that are ticked. */
    listTicked: (spaceId: string, limit: number) =>
      all<PageText>(
        `select id, title, body
         from pages
         where space_id = $1 and deleted_at is null and body ~ '\\[[xX]\\] '
         order by updated_at desc, id
         limit $2`,
        [spaceId, limit],
      ),
  }
}
