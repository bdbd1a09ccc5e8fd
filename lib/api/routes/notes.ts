import { z } from 'zod'
import { kind as page } from '../../contract/entities/page.ts'
import { kind as ref } from '../../contract/entities/ref.ts'
import { rowOf, Task } from '../../contract/entities.ts'
import {
  Capture,
  LocalMoment,
  NoteSettings,
  NoteSettingsChange,
  Template,
} from '../../contract/space/notes.ts'
import { storeCapture } from '../../files/capture/capture.ts'
import { changeNoteSettings, listTemplates, loadNoteSettings, openDailyNote } from '../../space/notes.ts'
import { idParams, route } from '../route.ts'
import { enterSpace } from '../scope.ts'

const params = idParams('space_id')

export const noteRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/note-settings',
    access: 'owner',
    summary: 'Get the template and daily note settings of a Space',
    params,
    answers: { 200: NoteSettings },
    async handle(deps, { actor, params: { space_id } }) {
      await enterSpace(deps, actor, space_id)
      return { body: await loadNoteSettings(deps.database, space_id) }
    },
  }),

  route({
    method: 'patch',
    path: '/api/spaces/:space_id/note-settings',
    access: 'owner',
    summary: 'Update the template and daily note settings of a Space',
    params,
    body: NoteSettingsChange,
    answers: { 200: NoteSettings },
    async handle(deps, { actor, params: { space_id }, body }) {
      await enterSpace(deps, actor, space_id)
      return { body: await changeNoteSettings(deps.database, space_id, body) }
    },
  }),

  route({
    method: 'get',
    path: '/api/spaces/:space_id/templates',
    access: 'owner',
    summary: 'List the template pages of a Space',
    params,
    answers: { 200: z.object({ items: z.array(Template) }) },
    async handle(deps, { actor, params: { space_id } }) {
      await enterSpace(deps, actor, space_id)
      return { body: { items: await listTemplates(deps.database, space_id) } }
    },
  }),

  route({
    method: 'post',
    path: '/api/spaces/:space_id/daily-note',
    access: 'owner',
    summary: 'Get the daily note of a day; creates it if necessary',
    params,
    body: LocalMoment,
    answers: { 200: rowOf(page), 201: rowOf(page) },
    async handle(deps, { actor, params: { space_id }, body: moment }) {
      await enterSpace(deps, actor, space_id)
      const parts = { ...deps.content, database: deps.database, kinds: deps.kinds }
      const { page, created } = await openDailyNote(parts, actor, { spaceId: space_id, moment })
      return { status: created ? 201 : 200, body: page }
    },
  }),
]

const captured = z.union([rowOf(page), Task, rowOf(ref)])

export const captureRoutes = [
  route({
    method: 'put',
    path: '/api/spaces/:space_id/captures/:id',
    access: 'owner',
    summary:
      'Create a page or task from a note, or a reference from a web page; idempotent by the client-chosen id',
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
