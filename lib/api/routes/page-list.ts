import { z } from 'zod'
import { readBase } from '../../content/properties/base/read-base.ts'
import { listPages, listPropertyNames, listTags } from '../../content/properties/list-pages.ts'
import { type Kind, textOf, titleOf } from '../../contract/entities/kind.ts'
import { kind as pageView } from '../../contract/entities/page_view.ts'
import { kind as sourceDoc } from '../../contract/entities/source_doc.ts'
import {
  KnownProperty,
  PageColumns,
  PageFilter,
  PageList,
  PageSorts,
  PageViews,
  TagCount,
} from '../../contract/space/pages.ts'
import { readBoundedJson } from '../../core/text/bound-json.ts'
import { findLive } from '../find-entity.ts'
import { idParams, pageQuery } from '../params.ts'
import { type Route, route } from '../route.ts'
import { checkRead, enterSpace } from '../scope.ts'

const maxJson = 8000

/** A parameter that is JSON. */
const json = <Schema extends z.ZodType>(schema: Schema, describe: string) =>
  z
    .string()
    .max(maxJson)
    .transform((text, context): z.output<Schema> => {
      const parsed = schema.safeParse(readBoundedJson(text, { maxDepth: 20, maxValues: 500 }))
      if (parsed.success) return parsed.data
      context.addIssue({ code: 'custom', message: 'it is not the JSON that is described, or too large' })
      return z.NEVER
    })
    .optional()
    .describe(describe)

const inSpace = idParams('space_id')

export const pageListRoutes: Route[] = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/tags',
    access: 'agent',
    summary: 'The tags of the pages of a Space, with counts',
    params: inSpace,
    answers: { 200: z.object({ items: z.array(TagCount) }) },
    async handle(deps, { actor, params: { space_id } }) {
      checkRead(actor, 'page')
      await enterSpace(deps, actor, space_id)
      return { body: { items: await listTags(deps.database, space_id) } }
    },
  }),

  route({
    method: 'get',
    path: '/api/spaces/:space_id/page-properties',
    access: 'agent',
    summary: 'The properties that pages of a Space have, those of most pages first',
    params: inSpace,
    answers: { 200: z.object({ items: z.array(KnownProperty) }) },
    async handle(deps, { actor, params: { space_id } }) {
      checkRead(actor, 'page')
      await enterSpace(deps, actor, space_id)
      return { body: { items: await listPropertyNames(deps.database, space_id) } }
    },
  }),

  route({
    method: 'get',
    path: '/api/spaces/:space_id/page-list',
    access: 'agent',
    summary: 'Pages without their text, by tag and properties, with the values asked for',
    params: inSpace,
    query: pageQuery.extend({
      tag: z.string().trim().min(1).max(200).optional().describe('Also one nested in it; with or without #'),
      where: json(
        PageFilter,
        'JSON: { property, op, value }, or { and: […] }, { or: […] }, { not: … } of these. Beside properties there ' +
          'are file.name, file.tags, file.ctime, file.mtime, file.path and file.folder',
      ),
      sort: json(PageSorts, 'JSON: [{ property, direction: "asc" | "desc" }]; by title in the end'),
      columns: json(PageColumns, 'JSON: names of properties whose values are given'),
    }),
    answers: { 200: PageList },
    async handle(deps, { actor, params: { space_id }, query }) {
      checkRead(actor, 'page')
      await enterSpace(deps, actor, space_id)
      const { cursor, where, sort, ...asked } = query
      return {
        body: await listPages(deps.database, {
          space_id,
          filter: where,
          sorts: sort,
          after: cursor,
          ...asked,
        }),
      }
    },
  }),

  viewsRoute(pageView, 'What a saved list of pages shows'),
  viewsRoute(sourceDoc, 'What a file shows as a list of pages, where it is an Obsidian base'),
]

function viewsRoute(kind: Kind, summary: string): Route {
  return route({
    method: 'get',
    path: `/api/${kind.path}/:id/page-views`,
    access: 'agent',
    summary,
    params: idParams('id'),
    answers: { 200: PageViews },
    async handle(deps, { actor, params: { id } }) {
      checkRead(actor, kind.type)
      const row = await findLive(deps, actor, kind, id)
      return { body: { title: titleOf(row), ...readBase(textOf(row[kind.bodyField])) } }
    },
  })
}
