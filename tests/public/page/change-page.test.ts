import { expect, test } from 'vitest'
import type { Page } from '../../../lib/contract/entities.ts'
import { ApiError } from '../../../public/app/api/api.ts'
import type { App } from '../../../public/app/app.ts'
import { changePage } from '../../../public/page/data/page-data.ts'

const seen = { id: 'lamp', version: 1, title: 'The lamp', body: 'It turns.', parent_id: null } as Page

/** The server has `current`, whatever the client has seen. */
function setUp(current: Page) {
  const sent: unknown[] = []
  const patch = async (_path: string, body: { version: number }) => {
    sent.push(body)
    if (body.version === current.version) return { ...current, ...body }
    throw new ApiError(409, 'stale_version', 'changed', { current })
  }
  return { app: { api: { patch } } as unknown as App, sent }
}

test('a change that the server has already is none', async () => {
  const { app } = setUp({ ...seen, title: 'The light', version: 2 })

  expect(await changePage(app, seen, { title: 'The light' })).toMatchObject({ title: 'The light' })
})

test('a change of another field goes on top', async () => {
  const { app, sent } = setUp({ ...seen, title: 'The light', version: 2 })

  await changePage(app, seen, { body: 'It stands.' })

  expect(sent.at(-1)).toEqual({ body: 'It stands.', version: 2 })
})

test('another change of the same field is refused', async () => {
  const { app, sent } = setUp({ ...seen, title: 'The horn', version: 2 })

  await expect(changePage(app, seen, { title: 'The light' })).rejects.toMatchObject({ status: 409 })
  expect(sent).toHaveLength(1)
})
