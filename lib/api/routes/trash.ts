import { z } from 'zod'
import { createTrashRepo } from '../../db/repos/trash.ts'
import { route } from '../route.ts'
import { id, idParams } from '../schemas.ts'
import { enterSpace } from '../scope.ts'

/** Things of a trash that are listed; older ones are found with `?deleted=true` of their kind. */
const mostListed = 500

const deletedThing = z.object({
  entity_type: z.string(),
  id,
  title: z.string(),
  deleted_at: z.iso.datetime(),
  deleted_by: z.string(),
})

export const trashRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/trash',
    access: 'owner',
    summary: 'List what can be taken out of the trash of a Space, the latest first',
    params: idParams('space_id'),
    answers: {
      200: z.object({
        days: z.int().describe('Until a thing is gone for good'),
        items: z.array(deletedThing),
      }),
    },
    async handle(deps, { actor, params: { space_id } }) {
      await enterSpace(deps, actor, space_id)
      const items = await createTrashRepo(deps.database).list(deps.kinds.all, space_id, mostListed)
      return { body: { days: deps.trashDays, items } }
    },
  }),
]
