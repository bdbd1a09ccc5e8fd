// What a Space holds as MCP resources: every entity as Markdown under void://SPACE/KIND/ID, and what became of an agent's
// drafts under void://SPACE/draft/ID.

import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { canAct } from '../../auth/capability.ts'
import type { AgentActor } from '../../core/actor.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { enterNamedSpace, listSpaces } from './enter-space.ts'
import type { McpDeps } from './mcp-deps.ts'

const mimeType = 'text/markdown'
const pageSize = 100
/** Lines of a resource; more are read with the tool. */
const maxLines = 20_000

type Place = { entity_type: string; entity_id: string }

export const resourceUri = (slug: string, { entity_type, entity_id }: Place) =>
  `void://${slug}/${entity_type}/${entity_id}`

export const resourceTemplates: ResourceTemplateType[] = [
  {
    name: 'entity',
    title: 'A page, task, project, reference, resource or file',
    uriTemplate: 'void://{space}/{kind}/{id}',
    description: 'Text of the entity as Markdown. The kinds are those of the tool list.',
    mimeType,
  },
  {
    name: 'draft',
    title: 'A draft of yours',
    uriTemplate: 'void://{space}/draft/{id}',
    description: 'Status of a change that you proposed, as JSON. Subscribe to be notified of the decision.',
    mimeType: 'application/json',
  },
]

/** What stands for the kind in the address of a draft. */
export const draftKind = 'draft'

/** The parts of an address of ours, whether or not there is such a thing. */
export function parseUri(uri: string): { slug: string; kind: string; id: string } | null {
  const [, slug, kind, id] = /^void:\/\/([^/]{1,100})\/([a-z_]{1,40})\/([0-9a-f-]{36})$/.exec(uri) ?? []
  return slug && kind && id && z.uuid().safeParse(id).success ? { slug, kind, id } : null
}

/** Where a list goes on: the Space, the kind and the last thing listed, by their places and id. */
const Cursor = z.tuple([z.int().min(0), z.int().min(0), z.uuid().nullable()])

/** Everything that the agent may read, by Space, kind and title. Throws for a cursor that it did not give. */
export async function listResources(
  { database, kinds, services }: McpDeps,
  actor: AgentActor,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  if (canAct(actor, 'read', 'space') !== 'allow') return { resources: [] }
  const spaces = await listSpaces(database, actor)
  let [spaceAt, kindAt, after] = cursor === undefined ? [0, 0, null] : parseCursor(cursor)
  const resources: ListResourcesResult['resources'] = []
  while (spaces[spaceAt] && resources.length < pageSize) {
    const { id: space_id, slug } = spaces[spaceAt]!
    const kind = kinds.all[kindAt]
    if (!kind) {
      ;[spaceAt, kindAt, after] = [spaceAt + 1, 0, null]
      continue
    }
    const limit = pageSize - resources.length
    const request = { space_id, kind: kind.type, limit, ...(after ? { after } : {}) }
    const { items, more } = await services.list(actor, request)
    resources.push(
      ...items.map(({ id, title }) => ({
        uri: resourceUri(slug, { entity_type: kind.type, entity_id: id }),
        name: title || 'Untitled',
        mimeType,
      })),
    )
    after = more ? (items.at(-1)?.id ?? null) : null
    if (!after) kindAt += 1
  }
  const next = spaces[spaceAt] && Buffer.from(JSON.stringify([spaceAt, kindAt, after])).toString('base64url')
  return { resources, ...(next ? { nextCursor: next } : {}) }
}

function parseCursor(cursor: string): z.infer<typeof Cursor> {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor does not belong to this list.')
  }
}

/** An entity as Markdown, or a draft. Throws `ResourceNotFoundError` if it does not exist or this agent has no access. */
export async function readResource(
  deps: McpDeps,
  actor: AgentActor,
  uri: string,
): Promise<ReadResourceResult> {
  const place = parseUri(uri)
  if (!place || !(place.kind === draftKind || deps.kinds.find(place.kind)))
    throw new ResourceNotFoundError(uri)
  try {
    const { id: space_id } = await enterNamedSpace(deps.database, actor, place.slug)
    const read = place.kind === draftKind ? readDraft : readEntity
    return { contents: [{ uri, ...(await read(deps, actor, { ...place, space_id })) }] }
  } catch (error) {
    if (error instanceof AppError && error.status < 500) throw new ResourceNotFoundError(uri)
    throw error
  }
}

type Named = { space_id: string; kind: string; id: string }

async function readEntity({ services }: McpDeps, actor: AgentActor, { space_id, kind, id }: Named) {
  const found = await services.read(actor, { space_id, kind, id, from_line: 1, to_line: maxLines })
  const rest = found.cut ? ['[Cut here. Read the rest with the tool read.]'] : []
  return { mimeType, text: [`# ${found.title}`, ...found.blocks, ...rest].join('\n\n') }
}

async function readDraft({ services }: McpDeps, actor: AgentActor, { space_id, id }: Named) {
  const [outcome] = await services.outcomes(actor, { space_id, id, limit: 1 })
  if (!outcome) throw notFound('Draft', id)
  return { mimeType: 'application/json', text: JSON.stringify(outcome) }
}
