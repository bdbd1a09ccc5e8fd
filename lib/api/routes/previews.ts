import { z } from 'zod'
import { readsLabelFirst } from '../../content/links/label-order.ts'
import { pathOf } from '../../content/writes/place-entity.ts'
import { type Kind, textOf, titleOf } from '../../contract/entities/kind.ts'
import { Preview } from '../../contract/space/preview.ts'
import { beginningOf } from '../../core/text/beginning.ts'
import { readLinks } from '../../core/text/links/read-links.ts'
import { idParams, type Route, route } from '../route.ts'
import { checkRead, findLive } from '../scope.ts'

const maxLinks = 100

/** What a link to something of this kind shows before it is followed. */
export const previewRoutes = (kind: Kind): Route[] => [
  route({
    method: 'get',
    path: `/api/${kind.path}/:id/preview`,
    access: 'agent',
    summary: `Get the beginning of a ${kind.label}, or of a part of it, with the links there`,
    params: idParams('id'),
    query: z.object({
      heading: z.string().max(500).optional().describe('Begin below this heading: `A`, `A#B` or `^block`'),
      passage: z.string().max(700).optional().describe('Begin at the block that holds these words'),
    }),
    answers: { 200: Preview },
    async handle(deps, { actor, params: { id }, query: { heading, passage } }) {
      checkRead(actor, kind.type)
      const row = await findLive(deps, actor, kind, id)
      const { space_id } = row
      const [title, whole, path] = [titleOf(row), textOf(row[kind.bodyField]), pathOf(row)]
      const { text, headings } = beginningOf(whole, { title, heading, passage })
      const label_first = await readsLabelFirst(deps.database, space_id, { text: whole, path })
      const written = new Set(readLinks(text, { labelFirst: label_first }).map(keyOf))
      const all = written.size > 0 ? await deps.repos.links.listFrom(space_id, id) : []
      const links = all.filter((link) => written.has(keyOf(link))).slice(0, maxLinks)
      const mime = typeof row.mime === 'string' ? row.mime : null
      const shown = { entity_type: kind.type, id, title, path, mime, text, headings, links, label_first }
      return { body: shown }
    },
  }),
]

const keyOf = ({ form, target }: { form: string; target: string }) => `${form} ${target}`
