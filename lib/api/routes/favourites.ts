import { z } from 'zod'
import { maxFavourites } from '../../contract/limits.ts'
import { id } from '../../contract/scalars.ts'
import { Favourite } from '../../contract/space/home.ts'
import { listFavourites, setFavourites } from '../../space/overview.ts'
import { idParams } from '../params.ts'
import { route } from '../route.ts'
import { enterSpace } from '../scope.ts'

const at = {
  path: '/api/spaces/:space_id/favourites',
  access: 'owner',
  params: idParams('space_id'),
} as const
const answers = { 200: z.object({ items: z.array(Favourite) }) }

export const favouriteRoutes = [
  route({
    ...at,
    method: 'get',
    summary: 'The pages that are kept at hand in the navigation of a Space',
    answers,
    async handle(deps, { actor, params: { space_id } }) {
      await enterSpace(deps, actor, space_id)
      return { body: { items: await listFavourites(deps.database, space_id) } }
    },
  }),

  route({
    ...at,
    method: 'put',
    summary: 'Make these pages the favourites of a Space, in this order',
    body: z.strictObject({
      page_ids: z
        .array(id)
        .max(maxFavourites)
        .refine((ids) => new Set(ids).size === ids.length, 'Each page once'),
    }),
    answers,
    async handle(deps, { actor, params: { space_id }, body }) {
      await enterSpace(deps, actor, space_id)
      const { database, server } = deps
      return {
        body: { items: await setFavourites({ database, live: server.live }, space_id, body.page_ids) },
      }
    },
  }),
]
