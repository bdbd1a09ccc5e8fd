// Stores from before 0.1.0. Their 82 migrations are one baseline now, so a store that had run all of them has the
// baseline already: its rows are exchanged, and 010 changes what is left.

import { AppError } from '../core/errors.ts'
import type { Queryable } from './pool.ts'

/** The migrations that made what an old store has; those after them are run. */
export const baseline = [
  '001_spaces_and_content',
  '002_agents_and_sign_in',
  '003_conversations',
  '004_changes_and_audit',
  '005_search',
  '006_imports_and_jobs',
  '007_sources_and_secrets',
  '008_mail',
  '009_research_and_glance',
]

/** The last old migration, and a version that has it. */
const last = '132_said_in_one_go'
const lastVersion = 'commit 7ec9704c'

/**
 * Replaces the migrations of a store from before 0.1.0 with the baseline, in one statement. Leaves any other store as it
 * is. Throws `AppError` `store_too_old` for one that has not run all of the old ones, and changes nothing then.
 */
export async function takeOver(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ name: string }>('select name from migrations order by id')
  const names = rows.map(({ name }) => name)
  if (names.length === 0 || names.includes(baseline[0]!)) return
  if (!names.includes(last)) throw tooOld(names.at(-1)!)

  await db.query(
    `with old as (
       delete from migrations
       where id <= (select id from migrations where name = $1)
     )
     insert into migrations (name, run_on)
     select name, now()
     from unnest($2::text[]) with ordinality as baseline (name, place)
     order by place`,
    [last, baseline],
  )
}

const tooOld = (name: string): AppError =>
  new AppError(
    'store_too_old',
    500,
    `This store was created by a version before 0.1.0 (its last migration is ${name}). Start it once with ${lastVersion}, which brings it up to date, then start this version again. Nothing was changed.`,
  )
