import { z } from 'zod'
import { blameText } from '../../changes/blame/blame.ts'
import { Blame } from '../../contract/changes/blame.ts'
import type { Kind } from '../../contract/entities/kind.ts'
import { conflict } from '../../core/errors.ts'
import { findEntity } from '../find-entity.ts'
import { idParams, versionParam } from '../params.ts'
import { type Route, route } from '../route.ts'
import { checkRead } from '../scope.ts'

const offset = z.coerce.number().int().min(0).optional()

/** Of one kind: why its text says what it says. */
export function blameRoutes(kind: Kind): Route[] {
  return [
    route({
      method: 'get',
      path: `/api/${kind.path}/:id/blame`,
      access: 'agent',
      summary: `Which change wrote what of the text of a ${kind.label}, who approved it, and from which sources`,
      params: idParams('id'),
      query: z.object({
        start: offset.describe('The first character of the range, in UTF-16 units'),
        end: offset.describe('The character after the last'),
        version: versionParam.optional().describe('The version that these offsets refer to'),
      }),
      answers: { 200: Blame },
      async handle(deps, { actor, params, query: { start, end, version } }) {
        checkRead(actor, kind.type)
        const row = await findEntity(deps, actor, kind, params.id)
        if (version !== undefined && version !== row.version) {
          const message = `The ${kind.label} ${row.id} is now at version ${row.version}.`
          throw conflict('stale_version', message, { current_version: row.version })
        }
        return { body: await blameText(deps, { kind, row, actor, start, end }) }
      },
    }),
  ]
}
