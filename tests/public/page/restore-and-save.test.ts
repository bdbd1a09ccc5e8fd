// "Restore and save" of a page that another device had changed before it went into the trash.

import { expect, test } from 'vitest'
import type { Page } from '../../../lib/contract/entities.ts'
import { type Api, ApiError } from '../../../public/app/api/api.ts'
import { createAutosave, type SavedPage } from '../../../public/page/edit/autosave.ts'
import { restoreAndSave } from '../../../public/page/edit/restore-and-save.ts'

const first = { title: 'The lamp', body: 'It turns.', version: 1, updated_at: '', updated_by: 'owner' }

/** `page`: as it is in the trash. */
function setUp(page: SavedPage, { isDeleted = true } = {}) {
  const server = { page: { ...page, deleted_at: isDeleted ? 'now' : null } as Page, sent: [] as unknown[] }
  const editor = { title: first.title, body: 'It turns on.' }
  const api = {
    async post() {
      if (server.page.deleted_at === null) throw new ApiError(404, 'not_found', 'not deleted')
      server.page = { ...server.page, deleted_at: null, version: server.page.version + 1 }
      return server.page
    },
    get: async () => server.page,
  } as unknown as Api
  const autosave = createAutosave({
    base: first,
    read: () => ({ ...editor }),
    async send(fields, version) {
      if (version !== server.page.version)
        throw new ApiError(409, 'stale_version', 'x', { current: server.page })
      server.sent.push(fields)
      server.page = { ...server.page, ...fields, version: version + 1 }
      return server.page
    },
    onState: () => {},
    onTheirs: (fields) => Object.assign(editor, fields),
    onSaved: () => {},
    signal: new AbortController().signal,
  })
  autosave.fail(new ApiError(404, 'in_trash', 'in the trash'))
  return { server, api, autosave }
}

test('saves the text where nobody changed the page', async () => {
  const { server, api, autosave } = setUp({ ...first, version: 2 })

  await restoreAndSave(api, 'lamp', autosave)

  expect(server.page).toMatchObject({ body: 'It turns on.', deleted_at: null, version: 4 })
})

test('never saves over the text of another device', async () => {
  const { server, api, autosave } = setUp({ ...first, body: 'It stands.', version: 3 })

  await restoreAndSave(api, 'lamp', autosave)

  expect(server.sent).toEqual([])
  expect(server.page).toMatchObject({ body: 'It stands.', deleted_at: null })
  expect(autosave.state()).toMatchObject({ name: 'conflict', theirs: { body: 'It stands.' } })
})

test('takes over a title of another device', async () => {
  const { server, api, autosave } = setUp({ ...first, title: 'The light', version: 3 })

  await restoreAndSave(api, 'lamp', autosave)

  expect(server.page).toMatchObject({ title: 'The light', body: 'It turns on.' })
})

test('saves a page that another device has restored', async () => {
  const { server, api, autosave } = setUp({ ...first, version: 3 }, { isDeleted: false })

  await restoreAndSave(api, 'lamp', autosave)

  expect(server.page).toMatchObject({ body: 'It turns on.', version: 4 })
})
