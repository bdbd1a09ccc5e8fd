import { expect, test } from 'vitest'
import { suggestQuestions } from '../../lib/companion/companion-state.ts'
import { buildApp } from '../helpers/build-app.ts'

const { owner, deps } = await buildApp()

const create = async (name: string) => (await owner.post('/api/spaces').send({ name }).expect(201)).body

test('a Space has a color and an emoji, versioned, in lists, and undone', async () => {
  const space = await create('Garden')
  const path = `/api/spaces/${space.id}`

  const marked = (await owner.patch(path).send({ version: 1, color: 'moss', emoji: '👩‍🌾' }).expect(200)).body

  expect(space).toMatchObject({ color: 'violet', emoji: '' })
  expect(marked).toMatchObject({ version: 2, color: 'moss', emoji: '👩‍🌾', name: 'Garden' })
  const { items } = (await owner.get('/api/spaces').expect(200)).body
  expect(items[0]).toMatchObject({ id: space.id, color: 'moss', emoji: '👩‍🌾' })
  await owner.patch(path).send({ version: 1, color: 'blue' }).expect(409)
  const [{ seq }] = (await owner.get(`/api/audit?entity_id=${space.id}`).expect(200)).body.items
  await owner.post(`/api/audit/${seq}/undo`).send({}).expect(200)
  expect((await owner.get(path).expect(200)).body).toMatchObject({ version: 3, color: 'violet', emoji: '' })
})

test('only a color of the set and a single emoji are accepted', async () => {
  const space = await create('Loft')
  const patch = (fields: object) => owner.patch(`/api/spaces/${space.id}`).send({ version: 1, ...fields })

  const wrong = [...['x', '📚📚', '<b>', '📚 ', '1'.repeat(40)].map((emoji) => ({ emoji })), { color: 'red' }]
  for (const fields of wrong) expect((await patch(fields)).status, JSON.stringify(fields)).toBe(400)
})

test('an export has the color and the emoji', async () => {
  const space = await create('Workshop')
  await owner.patch(`/api/spaces/${space.id}`).send({ version: 1, color: 'rust', emoji: '🔧' }).expect(200)

  const { text } = await owner.get(`/api/spaces/${space.id}/export`).expect(200)

  expect(JSON.parse(text.split('\n')[0]!).space).toMatchObject({ color: 'rust', emoji: '🔧' })
})

test('questions are not made of templates', async () => {
  const space = await create('Kitchen')
  const add = async (fields: object) =>
    (await owner.post(`/api/spaces/${space.id}/pages`).send(fields).expect(201)).body
  await add({ title: 'Bread', body: 'Flour and water.' })
  const templates = await add({ title: 'templates', body: '' })
  await add({ title: 'Recipe Template', body: '## Ingredients', parent_id: templates.id })

  const questions = await suggestQuestions(deps.database, space.id)

  expect(questions).toContain('What does “Bread” say?')
  expect(questions.join()).not.toContain('Template')
})
