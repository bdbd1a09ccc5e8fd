import { Properties } from '../../contract/entities/property.ts'
import { textOf } from '../../entities/kind.ts'
import { propertiesIn } from '../../spaces/page-properties.ts'
import { textTask } from '../../workers/text-threads.ts'
import { findLive } from '../find-entity.ts'
import { idParams } from '../params.ts'
import { route } from '../route.ts'
import { checkRead } from '../scope.ts'

const propertiesTask = textTask(new URL('../../spaces/page-properties.ts', import.meta.url), propertiesIn)

export const pagePropertiesRoutes = [
  route({
    method: 'get',
    path: '/api/pages/:id/properties',
    access: 'agent',
    summary: 'The properties in the front matter of a page',
    params: idParams('id'),
    answers: { 200: Properties },
    async handle(deps, { actor, params: { id } }) {
      checkRead(actor, 'page')
      const page = await findLive(deps, actor, deps.kinds.get('page'), id)
      const items = await deps.threads.run(propertiesTask, textOf(page.body))
      return { body: { items: items ?? [], too_complex: items === null } }
    },
  }),
]
