import { z } from 'zod'
import { listOf } from '../../contract/list.ts'
import {
  ConnectedFolder,
  Folder,
  FolderLogEntry,
  FolderPreview,
  FolderReview,
  OwnPaths,
} from '../../contract/space/folder.ts'
import { idParams, route } from '../route.ts'
import { enterSpace } from '../scope.ts'

const path = '/api/spaces/:space_id/folder'
const params = idParams('space_id')

export const folderRoutes = [
  route({
    method: 'get',
    path: '/api/folders',
    access: 'owner',
    summary: 'List the connected folders of all Spaces',
    answers: { 200: listOf(ConnectedFolder) },
    async handle({ content: { folders } }) {
      return { body: { items: await folders.list(), next_cursor: null } }
    },
  }),

  route({
    method: 'put',
    path,
    access: 'owner',
    summary: 'Connect a folder of the server’s machine, which is then kept in step with the Space',
    params,
    body: z.strictObject({
      path: z.string().min(1).max(4096).describe('Absolute, or below the home folder with ~/'),
      take_over: z
        .boolean()
        .default(false)
        .describe('Also where another Space or server was connected to the folder'),
      own: OwnPaths.optional(),
      review: FolderReview.optional().describe('Default: as it was; at first off'),
      dry_run: z.boolean().default(false).describe('Only says what would change on each side'),
    }),
    answers: { 200: z.union([Folder, FolderPreview]) },
    async handle(deps, { actor, params: { space_id }, body: { path, take_over, own, review, dry_run } }) {
      const { id } = await enterSpace(deps, actor, space_id)
      const { folders } = deps.content
      if (dry_run) return { body: await folders.preview(id, path) }
      const patterns = own === true ? ['**'] : own === false ? [] : own
      return { body: await folders.connect(id, { path, take_over, own: patterns, review }) }
    },
  }),

  route({
    method: 'get',
    path,
    access: 'owner',
    summary: 'Get the state of the connected folder',
    params,
    answers: { 200: Folder },
    async handle(deps, { actor, params: { space_id } }) {
      const { id } = await enterSpace(deps, actor, space_id)
      return { body: await deps.content.folders.find(id) }
    },
  }),

  route({
    method: 'delete',
    path,
    access: 'owner',
    summary: 'Disconnect the folder; its files and the pages stay',
    params,
    answers: { 204: 'Disconnected' },
    async handle(deps, { actor, params: { space_id } }) {
      const { id } = await enterSpace(deps, actor, space_id)
      await deps.content.folders.disconnect(id)
      return { status: 204 }
    },
  }),

  route({
    method: 'post',
    path: `${path}/pause`,
    access: 'owner',
    summary: 'Pause: neither side changes because of the other',
    params,
    answers: { 200: Folder },
    async handle(deps, { actor, params: { space_id } }) {
      const { id } = await enterSpace(deps, actor, space_id)
      return { body: await deps.content.folders.pause(id) }
    },
  }),

  route({
    method: 'post',
    path: `${path}/resume`,
    access: 'owner',
    summary: 'Resume',
    params,
    body: z.strictObject({
      deletions: z
        .enum(['apply', 'put_back'])
        .default('put_back')
        .describe('Pages whose files are gone: move them to the trash too, or put their files back'),
    }),
    answers: { 200: Folder },
    async handle(deps, { actor, params: { space_id }, body: { deletions } }) {
      const { id } = await enterSpace(deps, actor, space_id)
      return { body: await deps.content.folders.resume(id, deletions) }
    },
  }),

  route({
    method: 'get',
    path: `${path}/log`,
    access: 'owner',
    summary: 'List what was done on each side, newest first',
    params,
    query: z.object({
      cursor: z.coerce.number().int().min(1).optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    answers: { 200: listOf(FolderLogEntry) },
    async handle(deps, { actor, params: { space_id }, query: { cursor, limit } }) {
      const space = await enterSpace(deps, actor, space_id)
      const found = await deps.content.folders.listLog(space.id, cursor ?? null, limit + 1)
      const items = found.slice(0, limit)
      return { body: { items, next_cursor: found.length > limit ? String(items.at(-1)!.seq) : null } }
    },
  }),
]
