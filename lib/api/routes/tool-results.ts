import type { Kinds } from '../../contract/entities/kinds.ts'
import { rowOf } from '../../contract/entities.ts'
import { ToolResult } from '../../contract/sources.ts'
import { notFound } from '../../core/errors.ts'
import { keepResult } from '../../outside/sources/store-result.ts'
import { idParams } from '../params.ts'
import { route } from '../route.ts'

/** What tools of sources answered. */
export const toolResultRoutes = (kinds: Kinds) => [
  route({
    method: 'get',
    path: '/api/tool-results/:id',
    access: 'owner',
    summary: 'Read what a tool of a source answered',
    params: idParams('id'),
    answers: { 200: ToolResult },
    async handle({ repos }, { params: { id } }) {
      const result = await repos.toolResults.find(id)
      if (!result) throw notFound('tool result', id)
      return { body: result }
    },
  }),

  route({
    method: 'post',
    path: '/api/tool-results/:id/keep',
    access: 'owner',
    summary: 'Make a file of it, which search finds; once',
    params: idParams('id'),
    answers: { 201: rowOf(kinds.get('source_doc')) },
    async handle({ database, kinds, content: { writer } }, { params: { id }, actor }) {
      return { status: 201, body: await keepResult({ database, kinds, writer }, actor, id) }
    },
  }),
]
