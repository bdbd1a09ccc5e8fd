import { z } from 'zod'
import { textOf } from '../../contract/entities/kind.ts'
import { kind as pageKind } from '../../contract/entities/page.ts'
import { Properties, PropertyChange, rowOf } from '../../contract/entities.ts'
import { invalid } from '../../core/errors.ts'
import { editProperties } from '../../core/text/properties/edit-properties.ts'
import { textTask } from '../../jobs/workers/text-threads.ts'
import { propertiesIn } from '../../space/overview.ts'
import { findLive } from '../find-entity.ts'
import { idParams, requiredVersion, seenVersion } from '../params.ts'
import { route } from '../route.ts'
import { checkRead } from '../scope.ts'

const propertiesTask = textTask(new URL('../../space/overview.ts', import.meta.url), propertiesIn)

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

  route({
    method: 'patch',
    path: '/api/pages/:id/properties',
    access: 'owner',
    summary: 'Change properties of a page, each in its place in the front matter',
    params: idParams('id'),
    body: z.strictObject({
      version: seenVersion.optional(),
      edits: z.array(PropertyChange).min(1).max(20).describe('One after the other'),
    }),
    answers: { 200: rowOf(pageKind) },
    async handle(deps, { actor, req, params: { id }, body: { version: inBody, edits } }) {
      const page = await findLive(deps, actor, pageKind, id)
      const version = requiredVersion(req, inBody)
      // One of another version is refused by the write itself, with the page as it is now.
      const body = page.version === version ? withEdits(textOf(page.body), edits) : textOf(page.body)
      const { space_id } = page
      const write = { action: 'update', type: 'page', space_id, id, version, fields: { body } } as const
      const written = await deps.changes.writeOrPropose(actor, write)
      return { body: 'row' in written ? written.row : page }
    },
  }),
]

function withEdits(text: string, edits: readonly PropertyChange[]): string {
  return edits.reduce((now, edit) => {
    const edited = editProperties(now, edit)
    if (edited.problem === null) return edited.text
    throw invalid(problems[edited.problem])
  }, text)
}

const problems = {
  exists: 'The page has a property of that name already. Choose another name.',
  absent: 'The page has no property of that name.',
  unreadable: 'This property can only be changed in the text of the page. Edit the page instead.',
}
