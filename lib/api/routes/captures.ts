import { z } from 'zod'
import { kind as page } from '../../contract/entities/page.ts'
import { kind as ref } from '../../contract/entities/ref.ts'
import { rowOf, Task } from '../../contract/entities.ts'
import { Capture } from '../../contract/space/notes.ts'
import { storeCapture } from '../../files/capture/capture.ts'
import { idParams } from '../params.ts'
import { route } from '../route.ts'
import { enterSpace } from '../scope.ts'

const captured = z.union([rowOf(page), Task, rowOf(ref)])

export const captureRoutes = [
  route({
    method: 'put',
    path: '/api/spaces/:space_id/captures/:id',
    access: 'owner',
    summary:
      'Create a page or task from a note, or a reference from a web page, under an id of your choice; once, however often it is sent',
    params: idParams('space_id', 'id'),
    body: Capture,
    bodyLimit: '8mb',
    answers: { 200: captured, 201: captured },
    async handle(deps, { actor, params, body: capture }) {
      await enterSpace(deps, actor, params.space_id)
      const parts = { ...deps.content, database: deps.database, kinds: deps.kinds }
      const { row, created } = await storeCapture(parts, actor, { ...params, capture })
      return { status: created ? 201 : 200, body: row }
    },
  }),
]
