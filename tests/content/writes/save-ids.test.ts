// A save whose answer was lost: the client sends on top of the old version, and is told that its save was applied.

import { expect, test } from 'vitest'
import { buildApp } from '../../helpers/build-app.ts'

const { owner } = await buildApp()
const { id: space } = (await owner.post('/api/spaces').send({ name: 'Skerry Light' })).body

const make = async (kind: string, fields: object = {}) =>
  (await owner.post(`/api/spaces/${space}/${kind}`).send({ title: 'The lamp', body: 'It turns.', ...fields }))
    .body
const patch = (kind: string, id: string, fields: object) => owner.patch(`/api/${kind}/${id}`).send(fields)

test.each(['pages', 'tasks', 'projects', 'refs'])(
  'of %s the server tells which save it has',
  async (kind) => {
    const { id } = await make(kind)
    await patch(kind, id, { version: 1, save_id: 'one', body: 'It turns on.' })

    const again = await patch(kind, id, { version: 1, save_id: 'one', body: 'It turns on and on.' })

    expect(again.status).toBe(409)
    expect(again.body.error.details).toMatchObject({
      current: { version: 2, body: 'It turns on.' },
      saved: { version: 2, fields: { body: 'It turns on.' } },
    })
  },
)

test('a save is told from the changes after it, and from one that never came', async () => {
  const { id } = await make('pages')
  await patch('pages', id, { version: 1, save_id: 'one', body: 'It turns on.' })
  await patch('pages', id, { version: 2, body: 'It stands.' })

  const own = await patch('pages', id, { version: 1, save_id: 'one', body: 'It turns on and on.' })
  const other = await patch('pages', id, { version: 1, save_id: 'two', body: 'It turns on and on.' })

  expect(own.body.error.details).toMatchObject({
    current: { version: 3, body: 'It stands.' },
    saved: { version: 2, fields: { body: 'It turns on.' } },
  })
  expect(other.body.error.details).not.toHaveProperty('saved')
})

test('the id of a save of another thing is not its own', async () => {
  const [one, other] = [await make('pages'), await make('pages', { title: 'The horn' })]
  await patch('pages', one.id, { version: 1, save_id: 'mine', body: 'It turns on.' })
  await patch('pages', other.id, { version: 1, body: 'It sounds.' })

  const answer = await patch('pages', other.id, { version: 1, save_id: 'mine', body: 'It blows.' })

  expect(answer.status).toBe(409)
  expect(answer.body.error.details).not.toHaveProperty('saved')
})
