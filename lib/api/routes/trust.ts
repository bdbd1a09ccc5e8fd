import { z } from 'zod'
import { listOf } from '../../contract/list.ts'
import { OriginKind, TrustedOrigin, TrustLevel } from '../../contract/trust.ts'
import { notFound } from '../../core/errors.ts'
import { idParams, route } from '../route.ts'
import { enterSpace } from '../scope.ts'

const path = '/api/spaces/:space_id/trust'
const params = idParams('space_id')

export const trustRoutes = [
  route({
    method: 'get',
    path,
    access: 'owner',
    summary: 'List the trust of imports, mail accounts and sources of a Space',
    params,
    answers: { 200: listOf(TrustedOrigin) },
    async handle(deps, { actor, params: { space_id } }) {
      const { id } = await enterSpace(deps, actor, space_id)
      return { body: { items: await deps.repos.trustedOrigins.list(id), next_cursor: null } }
    },
  }),

  route({
    method: 'put',
    path,
    access: 'owner',
    summary: 'Set the trust of an import, mail account or source',
    params,
    body: z.strictObject({ kind: OriginKind, key: z.string().min(1).max(500), trust: TrustLevel }),
    answers: { 200: TrustedOrigin },
    async handle(deps, { actor, params: { space_id }, body: { kind, key, trust } }) {
      const space = await enterSpace(deps, actor, space_id)
      const { trustedOrigins } = deps.repos
      const [found] = await trustedOrigins.list(space.id, { kind, key })
      if (!found) throw notFound(kind, key)
      await trustedOrigins.set({ space_id: space.id, kind, key }, trust)
      return { body: { ...found, trust } }
    },
  }),
]
