import { SpaceOverview } from '../../contract/space/home.ts'
import { loadOverview } from '../../space/overview.ts'
import { idParams } from '../params.ts'
import { route } from '../route.ts'
import { enterSpace } from '../scope.ts'

export const overviewRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/overview',
    access: 'owner',
    summary: 'What a Space’s home shows: open tasks, waiting drafts, the pages and the thread used last',
    params: idParams('space_id'),
    answers: { 200: SpaceOverview },
    async handle(deps, { actor, params: { space_id } }) {
      await enterSpace(deps, actor, space_id)
      const { loadCards } = deps.changes
      return { body: await loadOverview(deps.database, { kinds: deps.kinds, loadCards }, space_id) }
    },
  }),
]
