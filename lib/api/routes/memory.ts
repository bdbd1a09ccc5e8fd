import { kinds } from '../../contract/entities/kinds.ts'
import { rowOf } from '../../contract/entities.ts'
import { MemorySettings, MemorySettingsChange, PurgedMemory, PurgeRequest } from '../../contract/memory.ts'
import { idParams, route } from '../route.ts'
import { enterSpace } from '../scope.ts'

const inSpace = idParams('space_id')

/** The row of the page. */
const MemoryPage = rowOf(kinds.get('page')).extend({ asks: MemorySettings.shape.asks })

export const memoryRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/memory',
    access: 'owner',
    summary:
      'Get the memory page of a Space, which every turn there reads; an empty one is created if there is none',
    params: inSpace,
    answers: { 200: MemoryPage },
    async handle(deps, { actor, params }) {
      const { id } = await enterSpace(deps, actor, params.space_id)
      return { body: await deps.memory.page(actor, id) }
    },
  }),

  route({
    method: 'get',
    path: '/api/spaces/:space_id/memory-settings',
    access: 'owner',
    summary: 'Get what is set for the memory of a Space',
    params: inSpace,
    answers: { 200: MemorySettings },
    async handle(deps, { actor, params }) {
      const { id } = await enterSpace(deps, actor, params.space_id)
      return { body: await deps.memory.settings(id) }
    },
  }),

  route({
    method: 'patch',
    path: '/api/spaces/:space_id/memory-settings',
    access: 'owner',
    summary: 'Allow or refuse lines that the companion proposes for the memory of a Space by itself',
    params: inSpace,
    body: MemorySettingsChange,
    answers: { 200: MemorySettings },
    async handle(deps, { actor, params, body }) {
      const { id } = await enterSpace(deps, actor, params.space_id)
      return { body: await deps.memory.setAsks(id, body.asks) }
    },
  }),

  route({
    method: 'post',
    path: '/api/spaces/:space_id/memory/purge',
    access: 'owner',
    summary: 'Remove a line from the memory of a Space and from its history',
    params: inSpace,
    body: PurgeRequest,
    answers: { 200: PurgedMemory },
    async handle(deps, { actor, params, body }) {
      const { id } = await enterSpace(deps, actor, params.space_id)
      return { body: await deps.memory.purge(actor, id, body.text) }
    },
  }),

  route({
    method: 'get',
    path: '/api/memory',
    access: 'owner',
    summary:
      'Get the memory page of all Spaces, which every turn reads; an empty one is created if there is none',
    answers: { 200: MemoryPage },
    handle: async ({ memory }, { actor }) => ({ body: await memory.everywhere(actor) }),
  }),

  route({
    method: 'post',
    path: '/api/memory/purge',
    access: 'owner',
    summary: 'Remove a line from the memory of all Spaces and from its history',
    body: PurgeRequest,
    answers: { 200: PurgedMemory },
    handle: async ({ memory }, { actor, body }) => ({ body: await memory.purge(actor, null, body.text) }),
  }),
]
