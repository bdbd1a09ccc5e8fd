// The routes of every kind, made from its definition. The owner's writes happen; an agent's become pending changes.

import { z } from 'zod'
import { canAct } from '../../auth/capability.ts'
import type { WriteResult } from '../../changes/propose/write-or-propose.ts'
import { listTitledBacklinks } from '../../content/links/backlinks.ts'
import { readsLabelFirst } from '../../content/links/label-order.ts'
import { withOldTitle } from '../../content/writes/follow-renames.ts'
import { pathOf } from '../../content/writes/place-entity.ts'
import { createSchema, updateSchema } from '../../content/writes/validate-fields.ts'
import { DraftAnswer } from '../../contract/changes/pending-change.ts'
import { date } from '../../contract/entities/fields.ts'
import type { Kind } from '../../contract/entities/kind.ts'
import { Links, rowOf } from '../../contract/entities.ts'
import { ListSort, listOf } from '../../contract/list.ts'
import { id } from '../../contract/scalars.ts'
import type { Actor } from '../../core/actor.ts'
import { forbidden, notFound } from '../../core/errors.ts'
import { isDrawing } from '../../core/text/drawings.ts'
import type { Deps } from '../deps.ts'
import {
  type Answer,
  flag,
  idParams,
  longBody,
  namedVersion,
  page,
  pageQuery,
  type Route,
  requiredVersion,
  route,
  seenVersion,
} from '../route.ts'
import { checkRead, draftAnswer, enterSpace, findEntity, findLive, resolveSpaces } from '../scope.ts'

const inSpace = idParams('space_id')
const byId = idParams('id')
const reason = z
  .string()
  .max(1000)
  .optional()
  .describe('Agents only: reason for the change, in one sentence for the owner')
const keep_alias = z
  .boolean()
  .optional()
  .describe('If the title changes, keep the old one as an alias in the front matter')
/** What an update says of itself, besides the change. */
const save = z.object({
  save_id: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'Client-chosen id of this save. Send it again if the answer was lost: if the save was applied, `details.saved` of the 409 names its version and fields',
    ),
  today: date()
    .optional()
    .describe(
      'Calendar day of the owner, for a recurring task that is marked done. Default, also for a day that it is in no time zone: the server’s day',
    ),
})
/** What a body says of the change, besides the fields. */
const change = z.strictObject({ version: seenVersion.optional(), reason })

/** The routes of one kind. */
export const entityRoutes = (kind: Kind): Route[] => [
  ...listRoutes(kind),
  ...readRoutes(kind),
  createRoute(kind),
  updateRoute(kind),
  deleteRoute(kind),
  restoreRoute(kind),
]

function listRoutes(kind: Kind): Route[] {
  const status = kind.statusField ? kind.fields.shape[kind.statusField] : undefined
  const query = pageQuery.extend({
    deleted: flag.describe('List the trash instead; owner only'),
    sort: ListSort.default('newest'),
    ...(status ? { status: z.optional(z.clone(status)) } : {}),
  })
  const answers = { 200: listOf(rowOf(kind)) }

  async function list(
    deps: Deps,
    { actor, space_id, query: { cursor, limit, deleted, sort, ...filter } }: Listing<typeof query>,
  ) {
    checkRead(actor, kind.type)
    if (deleted && actor.kind === 'agent') throw forbidden('Only the owner can list the trash.')
    if (space_id) await enterSpace(deps, actor, space_id)
    const rows = await deps.repos.entities.list(kind, {
      space_id: space_id ?? (await resolveSpaces(deps, actor, undefined)),
      status: 'status' in filter && typeof filter.status === 'string' ? filter.status : null,
      deleted,
      sort,
      before_id: cursor ?? null,
      limit: limit + 1,
    })
    return { body: page(rows, limit) }
  }

  return [
    route({
      method: 'get',
      path: `/api/spaces/:space_id/${kind.path}`,
      access: 'agent',
      summary: `List the ${kind.plural} of a Space, newest first by default`,
      params: inSpace,
      query,
      answers,
      handle: (deps, { actor, params: { space_id }, query }) => list(deps, { actor, space_id, query }),
    }),

    route({
      method: 'get',
      path: `/api/${kind.path}`,
      access: 'agent',
      summary: `List the ${kind.plural} of all Spaces that the caller can access, newest first by default`,
      query: query.extend({ space_id: id.optional().describe('Only this Space') }),
      answers,
      handle: (deps, { actor, query: { space_id, ...query } }) => list(deps, { actor, space_id, query }),
    }),
  ]
}

type Listing<Query extends z.ZodType> = { actor: Actor; space_id: string | undefined; query: z.infer<Query> }

function readRoutes(kind: Kind): Route[] {
  const path = `/api/${kind.path}/:id`

  return [
    route({
      method: 'get',
      path,
      access: 'agent',
      summary: `Get a ${kind.label}; deleted_at is set if it is in the trash`,
      params: byId,
      answers: { 200: rowOf(kind) },
      async handle(deps, { actor, params: { id } }) {
        checkRead(actor, kind.type)
        return { body: await findEntity(deps, actor, kind, id) }
      },
    }),

    route({
      method: 'get',
      path: `${path}/links`,
      access: 'agent',
      summary: `List the links and backlinks of a ${kind.label}`,
      params: byId,
      answers: { 200: Links },
      async handle(deps, { actor, params: { id } }) {
        checkRead(actor, kind.type)
        const row = await findLive(deps, actor, kind, id)
        const { space_id } = row
        const links = await deps.repos.links.listFrom(space_id, id)
        const backlinks = await listTitledBacklinks(deps.database, deps.kinds, { space_id, id })
        const truncated = await deps.repos.links.isTruncated(space_id, id)
        const text = kind.searchText(row)
        const path = pathOf(row)
        const label_first = await readsLabelFirst(deps.database, space_id, { text, path })
        const drawings = path && isDrawing({ path, body: text }) ? [path] : []
        const picture = (await deps.repos.links.listPictures(space_id, drawings)).get(path ?? '')
        return { body: { links, truncated, label_first, backlinks, ...(picture && { picture }) } }
      },
    }),
  ]
}

function createRoute(kind: Kind): Route {
  return route({
    method: 'post',
    path: `/api/spaces/:space_id/${kind.path}`,
    access: 'agent',
    summary: `Create a ${kind.label}; with an agent’s token, draft one`,
    params: inSpace,
    rights: (actor) => checkWrite(actor, 'create', kind),
    bodyLimit: longBody,
    body: createSchema(kind).extend({ reason }),
    answers: { 201: rowOf(kind), 202: DraftAnswer },
    async handle(deps, { actor, params: { space_id }, body }) {
      await enterSpace(deps, actor, space_id)
      const { reason, fields } = split(body)
      const write = { action: 'create', type: kind.type, space_id, fields } as const
      return answer(actor, await deps.changes.writeOrPropose(actor, write, reason), 201)
    },
  })
}

function updateRoute(kind: Kind): Route {
  return route({
    method: 'patch',
    path: `/api/${kind.path}/:id`,
    access: 'agent',
    summary: `Update a ${kind.label}; with an agent’s token, draft the update`,
    params: byId,
    rights: (actor) => checkWrite(actor, 'update', kind),
    bodyLimit: longBody,
    body: updateSchema(kind).extend({
      ...change.shape,
      keep_alias,
      save_id: save.shape.save_id,
      ...(Object.hasOwn(kind.fields.shape, 'recurrence') ? { today: save.shape.today } : {}),
    }),
    answers: { 200: rowOf(kind), 202: DraftAnswer },
    async handle(deps, { actor, req, params: { id }, body: { keep_alias, today, save_id, ...body } }) {
      const row = await findLive(deps, actor, kind, id)
      const { space_id } = row
      const { version: inBody, reason, fields: given } = split(body)
      const version = requiredVersion(req, inBody)
      const fields = keep_alias ? withOldTitle(kind, row, given) : given
      const target = { action: 'update', type: kind.type, space_id, id, version } as const
      const named = save.parse({ today, save_id })
      const write = { ...target, fields, ...named, today: plausibleDay(named.today, deps.server.now()) }
      return answer(actor, await deps.changes.writeOrPropose(actor, write, reason), 200)
    },
  })
}

function deleteRoute(kind: Kind): Route {
  return route({
    method: 'delete',
    path: `/api/${kind.path}/:id`,
    access: 'agent',
    summary: `Move a ${kind.label} to the trash; with an agent’s token, draft the deletion`,
    params: byId,
    rights: (actor) => checkWrite(actor, 'delete', kind),
    body: change.optional(),
    answers: { 200: rowOf(kind), 202: DraftAnswer },
    async handle(deps, { actor, req, params: { id }, body }) {
      const { space_id } = await findLive(deps, actor, kind, id)
      const version = namedVersion(req, body?.version)
      const write = { action: 'delete', type: kind.type, space_id, id, version } as const
      return answer(actor, await deps.changes.writeOrPropose(actor, write, body?.reason), 200)
    },
  })
}

function restoreRoute(kind: Kind): Route {
  return route({
    method: 'post',
    path: `/api/${kind.path}/:id/restore`,
    access: 'owner',
    summary: `Restore a ${kind.label} from the trash`,
    params: byId,
    answers: { 200: rowOf(kind) },
    async handle(deps, { actor, params: { id } }) {
      const { deleted_at, space_id, version } = await findEntity(deps, actor, kind, id)
      if (deleted_at === null) throw notFound(`deleted ${kind.label}`, id)
      const write = { action: 'restore', type: kind.type, space_id, id, version } as const
      return answer(actor, await deps.changes.writeOrPropose(actor, write), 200)
    },
  })
}

const hourMs = 3_600_000

/** A day, unless it is one in no time zone: the clock of the browser is wrong then. */
function plausibleDay(day: string | undefined, now: Date): string | undefined {
  if (day === undefined) return undefined
  const sinceMidnight = now.getTime() - Date.parse(day)
  return sinceMidnight >= -14 * hourMs && sinceMidnight < 36 * hourMs ? day : undefined
}

/** An agent is refused before anything is looked up, so that a refusal reveals nothing about what exists. */
function checkWrite(actor: Actor, action: 'create' | 'update' | 'delete', kind: Kind): void {
  if (canAct(actor, action, kind.type) === 'deny')
    throw forbidden(`This token may not suggest changes to a ${kind.label}.`)
}

/** The fields of a body, apart from what it says of the change. The fields of a kind are known when it runs. */
function split({ version, reason, ...fields }: Record<string, unknown>) {
  return { ...change.parse({ version, reason }), fields }
}

const answer = (actor: Actor, made: WriteResult, status: 200 | 201): Answer =>
  'draft' in made ? { status: 202, body: draftAnswer(actor, made.draft) } : { status, body: made.row }
