import { z } from 'zod'
import { Command } from '../../contract/companion/commands.ts'
import { listOf } from '../../contract/list.ts'
import { count } from '../../contract/scalars.ts'
import { approveCommand, listCommands } from '../../space/commands.ts'
import { idParams, route } from '../route.ts'
import { enterSpace } from '../scope.ts'

export const commandRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/commands',
    access: 'owner',
    summary: 'List the commands of a Space: the pages below its page “Commands”',
    params: idParams('space_id'),
    answers: { 200: listOf(Command) },
    async handle(deps, { actor, params: { space_id } }) {
      await enterSpace(deps, actor, space_id)
      return { body: { items: await listCommands(deps.database, [space_id]), next_cursor: null } }
    },
  }),

  route({
    method: 'post',
    path: '/api/spaces/:space_id/commands/:id/approve',
    access: 'owner',
    summary: 'Approve the text of a page from outside as a command',
    params: idParams('space_id', 'id'),
    body: z.strictObject({ version: count.describe('Version of the page that was read') }),
    answers: { 200: Command },
    async handle(deps, { actor, params: { space_id, id }, body: { version } }) {
      await enterSpace(deps, actor, space_id)
      return { body: await approveCommand(deps.database, { space_id, id, version }) }
    },
  }),
]
