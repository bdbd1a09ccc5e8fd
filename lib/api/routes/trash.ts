import { Trash } from '../../contract/entities.ts'
import { idParams } from '../params.ts'
import { route } from '../route.ts'
import { enterSpace } from '../scope.ts'

/** Things of a trash that are listed; older ones are found with `?deleted=true` of their kind. */
const maxListed = 500

export const trashRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/trash',
    access: 'owner',
    summary: 'List what can be taken out of the trash of a Space, the latest first',
    params: idParams('space_id'),
    answers: { 200: Trash },
    async handle(deps, { actor, params: { space_id } }) {
      await enterSpace(deps, actor, space_id)
      const items = await deps.repos.trash.list(deps.kinds.all, space_id, maxListed)
      return { body: { days: deps.server.trashDays, items } }
    },
  }),
]
