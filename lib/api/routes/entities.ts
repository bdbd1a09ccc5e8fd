// The routes of every kind, made from its definition. The owner's writes happen; an agent's become pending changes.

import { z } from 'zod'
import type { Actor } from '../../auth/actor.ts'
import { canAct } from '../../auth/capability.ts'
import type { Proposal } from '../../changes/propose.ts'
import { createSchema, updateSchema } from '../../changes/validate-fields.ts'
import type { EntityWrite } from '../../changes/write.ts'
import { createEntitiesRepo, listSorts } from '../../db/repos/entities.ts'
import { createLinksRepo } from '../../db/repos/links.ts'
import type { EntityRow, Kind } from '../../entities/kind.ts'
import { forbidden, notFound } from '../../errors.ts'
import { listTitledBacklinks } from '../../links/titled-backlinks.ts'
import type { Deps } from '../deps.ts'
import { type Answer, type Route, route } from '../route.ts'
import {
  flag,
  idParams,
  linkOut,
  listOf,
  page,
  pageQuery,
  pendingChange,
  rowOf,
  version,
} from '../schemas.ts'
import { checkRead, enterSpace, spacesOf } from '../scope.ts'
import { namedVersion, requiredVersion } from '../validate.ts'

const inSpace = idParams('space_id')
const byId = idParams('id')
const reason = z.string().max(1000).optional().describe('For an agent: why, in a sentence for the owner')

/** The routes of one kind. */
export function entityRoutes(kind: Kind): Route[] {
  return [...collectionRoutes(kind), ...itemRoutes(kind)]
}

function collectionRoutes(kind: Kind): Route[] {
  const path = `/api/spaces/:space_id/${kind.path}`
  const status = kind.statusField ? kind.fields.shape[kind.statusField] : undefined

  return [
    route({
      method: 'get',
      path,
      access: 'agent',
      summary: `List the ${kind.plural} of a Space, the newest first unless told otherwise`,
      params: inSpace,
      query: pageQuery.extend({
        deleted: flag.describe('The trash instead'),
        sort: z.enum(listSorts).default('newest'),
        ...(status ? { status: z.optional(z.clone(status)) } : {}),
      }),
      answers: { 200: listOf(rowOf(kind)) },
      async handle(
        deps,
        { actor, params: { space_id }, query: { cursor, limit, deleted, sort, ...filter } },
      ) {
        checkRead(actor, kind.type)
        await enterSpace(deps, actor, space_id)
        const rows = await createEntitiesRepo(deps.database).list(kind, {
          space_id,
          status: 'status' in filter && typeof filter.status === 'string' ? filter.status : null,
          deleted,
          sort,
          before_id: cursor ?? null,
          limit: limit + 1,
        })
        return { body: page(rows, limit) }
      },
    }),

    route({
      method: 'post',
      path,
      access: 'agent',
      summary: `Make a ${kind.label}; with an agent’s token, draft one`,
      params: inSpace,
      body: createSchema(kind).extend({ reason }),
      answers: { 201: rowOf(kind), 202: pendingChange },
      async handle(deps, { actor, params: { space_id }, body: { reason, ...fields } }) {
        checkWrite(actor, 'create', kind)
        await enterSpace(deps, actor, space_id)
        if (actor.kind === 'agent') {
          return await propose(
            deps,
            actor,
            { space_id, entity_type: kind.type, action: 'create', payload: fields },
            reason,
          )
        }
        return {
          status: 201,
          body: await write(deps, actor, { action: 'create', type: kind.type, space_id, fields }),
        }
      },
    }),
  ]
}

function itemRoutes(kind: Kind): Route[] {
  const path = `/api/${kind.path}/:id`

  return [
    route({
      method: 'get',
      path,
      access: 'agent',
      summary: `Read a ${kind.label}; one in the trash has deleted_at set`,
      params: byId,
      answers: { 200: rowOf(kind) },
      async handle(deps, { actor, params: { id } }) {
        checkRead(actor, kind.type)
        return { body: await find(deps, actor, kind, id) }
      },
    }),

    route({
      method: 'patch',
      path,
      access: 'agent',
      summary: `Change a ${kind.label}; with an agent’s token, draft the change`,
      params: byId,
      body: updateSchema(kind).extend({ version: version.optional(), reason }),
      answers: { 200: rowOf(kind), 202: pendingChange },
      async handle(deps, { actor, req, params: { id }, body: { version: inBody, reason, ...fields } }) {
        checkWrite(actor, 'update', kind)
        const { space_id } = await findLive(deps, actor, kind, id)
        const seen = requiredVersion(req, typeof inBody === 'number' ? inBody : undefined)
        if (actor.kind === 'agent') {
          const draft = {
            space_id,
            entity_type: kind.type,
            action: 'update' as const,
            entity_id: id,
            version: seen,
          }
          return await propose(deps, actor, { ...draft, payload: fields }, reason)
        }
        return {
          body: await write(deps, actor, {
            action: 'update',
            type: kind.type,
            space_id,
            id,
            version: seen,
            fields,
          }),
        }
      },
    }),

    route({
      method: 'delete',
      path,
      access: 'agent',
      summary: `Put a ${kind.label} in the trash; with an agent’s token, draft that`,
      params: byId,
      body: z.strictObject({ version: version.optional(), reason }).optional(),
      answers: { 200: rowOf(kind), 202: pendingChange },
      async handle(deps, { actor, req, params: { id }, body }) {
        checkWrite(actor, 'delete', kind)
        const row = await findLive(deps, actor, kind, id)
        const seen = namedVersion(req, body?.version) ?? row.version
        const { space_id } = row
        if (actor.kind === 'agent') {
          const draft = {
            space_id,
            entity_type: kind.type,
            action: 'delete' as const,
            entity_id: id,
            version: seen,
          }
          return await propose(deps, actor, draft, body?.reason)
        }
        return {
          body: await write(deps, actor, { action: 'delete', type: kind.type, space_id, id, version: seen }),
        }
      },
    }),

    route({
      method: 'post',
      path: `${path}/restore`,
      access: 'owner',
      summary: `Take a ${kind.label} out of the trash`,
      params: byId,
      answers: { 200: rowOf(kind) },
      async handle(deps, { actor, params: { id } }) {
        const row = await find(deps, actor, kind, id)
        if (row.deleted_at === null) throw notFound(`deleted ${kind.label}`, id)
        const { space_id, version } = row
        return {
          body: await write(deps, actor, { action: 'restore', type: kind.type, space_id, id, version }),
        }
      },
    }),

    route({
      method: 'get',
      path: `${path}/links`,
      access: 'agent',
      summary: `List the links that leave a ${kind.label} and the things that link to it`,
      params: byId,
      answers: { 200: linksAnswer },
      async handle(deps, { actor, params: { id } }) {
        checkRead(actor, kind.type)
        const { space_id } = await findLive(deps, actor, kind, id)
        const { database, kinds } = deps
        return {
          body: {
            links: await createLinksRepo(database).listFrom(space_id, id),
            backlinks: await listTitledBacklinks(database, kinds, { space_id, id }),
          },
        }
      },
    }),
  ]
}

const linksAnswer = z.object({
  links: z.array(linkOut),
  backlinks: z.array(z.object({ entity_type: z.string(), entity_id: z.uuid(), title: z.string() })),
})

/** An agent is refused before anything is looked up, so that a refusal tells nothing about what exists. */
function checkWrite(actor: Actor, action: 'create' | 'update' | 'delete', kind: Kind): void {
  if (canAct(actor, action, kind.type) === 'deny')
    throw forbidden(`This token may not suggest changes to a ${kind.label}.`)
}

async function find({ database }: Deps, actor: Actor, kind: Kind, id: string): Promise<EntityRow> {
  const row = await createEntitiesRepo(database).findWithinSpaces(kind, spacesOf(actor), id)
  if (!row || (row.deleted_at !== null && actor.kind === 'agent')) throw notFound(kind.label, id)
  return row
}

async function findLive(deps: Deps, actor: Actor, kind: Kind, id: string): Promise<EntityRow> {
  const row = await find(deps, actor, kind, id)
  if (row.deleted_at !== null) throw notFound(kind.label, id)
  return row
}

async function write({ database, writer }: Deps, actor: Actor, change: EntityWrite): Promise<EntityRow> {
  return await database.transaction((tx) => writer.write(tx, change, { actor }))
}

async function propose(
  { proposeChange }: Deps,
  actor: Extract<Actor, { kind: 'agent' }>,
  proposal: Omit<Proposal, 'reason' | 'turn' | 'tool_use_id'>,
  reason: unknown,
): Promise<Answer> {
  const text = typeof reason === 'string' ? reason : ''
  return {
    status: 202,
    body: await proposeChange(actor, { ...proposal, reason: text, turn: null, tool_use_id: null }),
  }
}
