import { z } from 'zod'
import { readBase } from '../../content/properties/base/read-base.ts'
import { listPages, listPropertyNames, listTags } from '../../content/properties/list-pages.ts'
import { type Kind, textOf, titleOf } from '../../contract/entities/kind.ts'
import { kind as pageKind } from '../../contract/entities/page.ts'
import { kind as pageView } from '../../contract/entities/page_view.ts'
import { kind as sourceDoc } from '../../contract/entities/source_doc.ts'
import { Properties, PropertyChange, rowOf } from '../../contract/entities.ts'
import { id } from '../../contract/scalars.ts'
import {
  EmbeddedPage,
  FoundPage,
  KnownProperty,
  PageColumns,
  PageFilter,
  PageList,
  PagePlace,
  PageSorts,
  PageTree,
  PageViews,
  TagCount,
} from '../../contract/space/pages.ts'
import { textEncodings } from '../../contract/space/text-encodings.ts'
import { invalid } from '../../core/errors.ts'
import { readBoundedJson } from '../../core/text/bounds.ts'
import { editProperties } from '../../core/text/properties/edit-properties.ts'
import { rereadPage } from '../../files/import/reread-page.ts'
import { textTask } from '../../jobs/workers/text-threads.ts'
import { propertiesIn } from '../../space/overview.ts'
import { findPagesByTitle, findPlace, listEmbedded, listLevel, listTree } from '../../space/page-tree.ts'
import { idParams, pageQuery, type Route, requiredVersion, route, seenVersion } from '../route.ts'
import { checkRead, enterSpace, findLive } from '../scope.ts'

const encodings = Object.keys(textEncodings) as (keyof typeof textEncodings)[]

export const pageTreeRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/page-tree',
    access: 'agent',
    summary: 'Get the top-level pages of a Space and the levels down to a given page, 300 pages of each',
    params: idParams('space_id'),
    query: z.object({
      open: id.optional().describe('Include the levels down to this page, and its children'),
      below: id.optional().describe('Only the children of this page'),
      from: z.coerce
        .number()
        .int()
        .min(0)
        .max(1_000_000_000)
        .optional()
        .describe('Only this level, from this place on (zero-based)'),
      levels: z.coerce
        .number()
        .int()
        .min(1)
        .max(2)
        .default(1)
        .describe('2: include the children of top-level pages'),
    }),
    answers: { 200: PageTree },
    async handle(deps, { actor, params: { space_id }, query: { open, below, from, levels } }) {
      checkRead(actor, 'page')
      await enterSpace(deps, actor, space_id)
      const { database } = deps
      const isLevel = below !== undefined || from !== undefined
      const body = isLevel
        ? await listLevel(database, space_id, below ?? null, { from: from ?? 0 })
        : await listTree(database, space_id, { open: open ?? null, levels })
      return { body }
    },
  }),

  route({
    method: 'get',
    path: '/api/spaces/:space_id/page-titles',
    access: 'agent',
    summary: 'Find pages by a part of their title, with the titles of their ancestors',
    params: idParams('space_id'),
    query: z.object({ q: z.string().trim().max(200).default('') }),
    answers: { 200: z.object({ items: z.array(FoundPage) }) },
    async handle(deps, { actor, params: { space_id }, query: { q } }) {
      checkRead(actor, 'page')
      await enterSpace(deps, actor, space_id)
      return { body: { items: await findPagesByTitle(deps.database, space_id, q) } }
    },
  }),

  route({
    method: 'get',
    path: '/api/pages/:id/place',
    access: 'agent',
    summary: 'Get the ancestors of a page, from the top, and its children',
    params: idParams('id'),
    answers: { 200: PagePlace },
    async handle(deps, { actor, params: { id } }) {
      checkRead(actor, 'page')
      const { space_id } = await findLive(deps, actor, deps.kinds.get('page'), id)
      return { body: await findPlace(deps.database, space_id, id) }
    },
  }),

  route({
    method: 'post',
    path: '/api/pages/:id/read-as',
    access: 'owner',
    summary: 'Read the file of an imported page again in another encoding',
    params: idParams('id'),
    body: z.strictObject({ version: seenVersion.optional(), encoding: z.enum(encodings) }),
    answers: { 200: rowOf(pageKind) },
    async handle(deps, { req, actor, params: { id }, body: { version: inBody, encoding } }) {
      const version = requiredVersion(req, inBody)
      const page = await findLive(deps, actor, pageKind, id)
      const { database, content } = deps
      const place = { page, version, encoding, actor }
      return { body: await rereadPage({ database, writer: content.writer }, place) }
    },
  }),

  route({
    method: 'get',
    path: '/api/pages/:id/embeds',
    access: 'agent',
    summary: 'List the pages embedded in a page, directly or indirectly, with their links',
    params: idParams('id'),
    answers: { 200: z.object({ items: z.array(EmbeddedPage) }) },
    async handle(deps, { actor, params: { id } }) {
      checkRead(actor, 'page')
      const { space_id } = await findLive(deps, actor, deps.kinds.get('page'), id)
      return { body: { items: await listEmbedded(deps.database, space_id, id) } }
    },
  }),
]

const maxJson = 8000

/** A parameter that is JSON. */
const json = <Schema extends z.ZodType>(schema: Schema, describe: string) =>
  z
    .string()
    .max(maxJson)
    .transform((text, context): z.output<Schema> => {
      const parsed = schema.safeParse(readBoundedJson(text, { depth: 20, values: 500 }))
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
    summary: 'List the page tags of a Space with counts',
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
    summary: 'List the page properties of a Space, most used first',
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
    summary: 'List pages by tag and properties, with selected property values and without text',
    params: inSpace,
    query: pageQuery.extend({
      tag: z.string().trim().min(1).max(200).optional().describe('Includes nested tags; with or without #'),
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

const propertiesTask = textTask(new URL('../../space/overview.ts', import.meta.url), propertiesIn)

export const pagePropertiesRoutes = [
  route({
    method: 'get',
    path: '/api/pages/:id/properties',
    access: 'agent',
    summary: 'List the front matter properties of a page',
    params: idParams('id'),
    answers: { 200: Properties },
    async handle(deps, { actor, params: { id } }) {
      checkRead(actor, 'page')
      const page = await findLive(deps, actor, deps.kinds.get('page'), id)
      const items = await deps.threads.run(propertiesTask, textOf(page.body))
      return { body: { items: items ?? [], too_complex: items === null } }
    },
  }),

  route({
    method: 'patch',
    path: '/api/pages/:id/properties',
    access: 'owner',
    summary: 'Edit front matter properties of a page in place',
    params: idParams('id'),
    body: z.strictObject({
      version: seenVersion.optional(),
      edits: z.array(PropertyChange).min(1).max(20).describe('Applied in order'),
    }),
    answers: { 200: rowOf(pageKind) },
    async handle(deps, { actor, req, params: { id }, body: { version: inBody, edits } }) {
      const page = await findLive(deps, actor, pageKind, id)
      const version = requiredVersion(req, inBody)
      // One of another version is refused by the write itself, with the page as it is now.
      const body = page.version === version ? withEdits(textOf(page.body), edits) : textOf(page.body)
      const { space_id } = page
      const write = { action: 'update', type: 'page', space_id, id, version, fields: { body } } as const
      const written = await deps.changes.writeOrPropose(actor, write)
      return { body: 'row' in written ? written.row : page }
    },
  }),
]

function withEdits(text: string, edits: readonly PropertyChange[]): string {
  return edits.reduce((now, edit) => {
    const edited = editProperties(now, edit)
    if (edited.problem === null) return edited.text
    throw invalid(problems[edited.problem])
  }, text)
}

const problems = {
  exists: 'The page has a property of that name already. Choose another name.',
  absent: 'The page has no property of that name.',
  unreadable: 'This property can only be changed in the text of the page. Edit the page instead.',
}
