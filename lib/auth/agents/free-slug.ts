import { slugOf } from '../../core/text/slug.ts'
import type { Queryable } from '../../db/pool.ts'
import { createAgentsRepo } from '../../db/repos/agents.ts'
import { looksLikeAppActor } from './app-actor.ts'

const maxLength = 60

/**
 * A slug for an agent of that name that no other has; made from `otherwise` where the name gives none. It stays free
 * until the transaction ends.
 */
export async function freeSlug(tx: Queryable, name: string, otherwise: string): Promise<string> {
  const letters = slugOf(name, maxLength)
  const base = letters === '' || looksLikeAppActor(letters) ? otherwise : letters
  await createAgentsRepo(tx).lockNames()
  for (let suffix = 1; ; suffix += 1) {
    const slug = suffix === 1 ? base : `${base}-${suffix}`
    if (!(await createAgentsRepo(tx).findBySlug(slug))) return slug
  }
}
