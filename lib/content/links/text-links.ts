import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Link } from '../../contract/entities.ts'
import { isDrawingPath } from '../../core/text/drawings.ts'
import { readLinks } from '../../core/text/links/read-links.ts'
import { normalizeName } from '../../core/text/normalize-name.ts'
import type { Queryable } from '../../db/pool.ts'
import { createLinksRepo } from '../../db/repos/links.ts'
import { withTitles } from './backlinks.ts'
import { createResolver } from './link-index.ts'

/** Links of one text that are looked up. */
const maxLinks = 500

/** Where the links of a text that is stored nowhere lead, such as those of an answer: from the top of its Space. */
export async function resolveTextLinks(
  db: Queryable,
  kinds: Kinds,
  spaceId: string,
  text: string,
): Promise<Link[]> {
  const written = readLinks(text)
    .filter(({ kind }) => kind !== 'definition')
    .slice(0, maxLinks)
  const resolve = await createResolver(
    db,
    spaceId,
    written.map((aim) => ({ aim, holder: null })),
  )
  const leads = written.map((aim) => resolve(aim, null))
  const titled = await withTitles(
    db,
    kinds,
    spaceId,
    leads.flatMap((lead) => lead ?? []),
  )
  const titles = new Map(titled.map(({ entity_id, title }) => [entity_id, title]))
  const drawings = leads.flatMap((lead) => lead?.path ?? []).filter(isDrawingPath)
  const pictures = await createLinksRepo(db).listPictures(spaceId, drawings)
  return written.map(({ form, target, label, heading, embed }, index): Link => {
    const lead = leads[index]
    const title = lead && titles.get(lead.entity_id)
    const to =
      lead && title !== undefined
        ? { to_type: lead.entity_type, to_id: lead.entity_id, to_title: title, to_path: lead.path }
        : { to_type: null, to_id: null, to_title: null, to_path: null }
    const to_picture = pictures.get(to.to_path ?? '')
    const picture = to_picture && { to_picture }
    return { form, target, name: normalizeName(target), label, heading, embed, ...to, ...picture }
  })
}
