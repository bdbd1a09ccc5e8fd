import { expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner } = void_
const world = await makeWorld(void_)
const { space, other } = world

const task = async (place: { id: string }, fields: Record<string, unknown>) =>
  (await owner.post(`/api/spaces/${place.id}/tasks`).send(fields).expect(201)).body
const today = async (day: string) => (await owner.get(`/api/today?day=${day}`).expect(200)).body
const titles = (tasks: { title: string }[]) => tasks.map(({ title }) => title)
const overview = async (id: string) => (await owner.get(`/api/spaces/${id}/overview`).expect(200)).body

test('a day has what is due by then and still to do, over all Spaces, the longest overdue first', async () => {
  await task(space, { title: 'Due', due_on: '2016-11-24', priority: 'low' })
  await task(other, { title: 'Urgent', due_on: '2016-11-24', priority: 'urgent' })
  await task(space, { title: 'Overdue', due_on: '2016-10-01', status: 'in_progress' })
  await task(space, { title: 'Tomorrow', due_on: '2016-11-25' })
  await task(space, { title: 'Done', due_on: '2016-11-24', status: 'done' })
  await task(space, { title: 'Cancelled', due_on: '2016-11-24', status: 'cancelled' })
  await task(space, { title: 'Undated' })
  const gone = await task(space, { title: 'Gone', due_on: '2016-11-24' })
  await owner.delete(`/api/tasks/${gone.id}`).send({ version: 1 }).expect(200)
  const closed = (await owner.post('/api/spaces').send({ name: 'Closed' })).body
  await task(closed, { title: 'Elsewhere', due_on: '2016-11-24' })
  await owner.delete(`/api/spaces/${closed.id}`).send({ version: 1 }).expect(200)

  const all = await today('2016-11-24')

  expect(titles(all.tasks)).toEqual(['Overdue', 'Urgent', 'Due'])
  expect(all).toMatchObject({ day: '2016-11-24', count: 3 })
  expect(all.tasks[1].space).toEqual({ name: other.name, slug: other.slug })
  expect(titles((await today('2016-11-25')).tasks)).toEqual(['Overdue', 'Urgent', 'Due', 'Tomorrow'])
  expect(await today('2016-09-30')).toMatchObject({ tasks: [], count: 0 })
})

test('a day that asks for more than a list has says how much', async () => {
  const crowd = (await owner.post('/api/spaces').send({ name: 'Crowd' })).body
  for (let n = 0; n < 101; n += 1) await task(crowd, { title: `Task ${n}`, due_on: '2001-01-01' })

  const { tasks, count } = await today('2001-01-01')

  expect([tasks.length, count]).toEqual([100, 101])
})

test('what is no day is refused, and an agent has none', async () => {
  const agent = void_.as((await makeAgent(void_, { slug: 'watch' })).token)

  expect((await owner.get('/api/today?day=today')).status).toBe(400)
  expect((await owner.get('/api/today?day=2026-02-30')).status).toBe(400)
  expect((await agent.get('/api/today?day=2026-11-24')).status).toBe(403)
})

test('the home of a Space has what was written last, by hand or where an import brought it from', async () => {
  const { id } = (await owner.post('/api/spaces').send({ name: 'Begun' })).body
  expect(await overview(id)).toMatchObject({ recent_pages: [], imported: null, thread: null })
  const files = ['a', 'b', 'c'].map((name) => ({
    path: `${name}.md`,
    base64: Buffer.from(`# ${name}\n\nText.`).toString('base64'),
  }))
  await owner.post(`/api/spaces/${id}/import`).send({ source: 'notes', files }).expect(200)
  await owner.post(`/api/spaces/${id}/pages`).send({ title: 'By hand' }).expect(201)

  const begun = await overview(id)
  expect(titles(begun.recent_pages)).toEqual(['By hand', 'c', 'b', 'a'])
  expect(begun.imported).toBeNull()

  const { body: pages } = await owner.get(`/api/spaces/${id}/pages`)
  const page = pages.items.find(({ title }: { title: string }) => title === 'a')
  await owner.patch(`/api/pages/${page.id}`).send({ version: page.version, body: 'Mine.' }).expect(200)

  const touched = await overview(id)
  expect(titles(touched.recent_pages)).toEqual(['a', 'By hand', 'c', 'b'])
})

test('it has the pages that most pages link to, the folders at the top, and what was done first', async () => {
  const { id } = (await owner.post('/api/spaces').send({ name: 'House' })).body
  const page = async (title: string, body = '', parent_id: string | null = null) =>
    (await owner.post(`/api/spaces/${id}/pages`).send({ title, body, parent_id }).expect(201)).body
  const rooms = await page('Rooms')
  await page('Budget')
  await page('Cellar', 'See [[Budget]] and [[Rooms]], and [[Budget]] again.', rooms.id)
  const bathroom = await page('Bathroom', 'See [[Budget]].', rooms.id)
  await page('Basin', '', bathroom.id)
  const thrown = await page('Bucket', '', rooms.id)
  await page('Handle', '', thrown.id)
  await owner.delete(`/api/pages/${thrown.id}`).send({ version: thrown.version }).expect(200)

  const empty = await overview(id)

  expect(empty.most_linked).toMatchObject([{ title: 'Budget', count: 2 }])
  expect(empty.folders).toMatchObject([{ title: 'Rooms', count: 3 }])
  expect(empty.steps).toEqual({ imported: false, decided: false })
})

test('what a Space holds anything of is listed, and leaves the list with the last of it', async () => {
  const { id } = (await owner.post('/api/spaces').send({ name: 'Shelf' })).body
  const contents = async () => (await owner.get(`/api/spaces/${id}/contents`).expect(200)).body.items
  expect(await contents()).toEqual([])
  await owner.post(`/api/spaces/${id}/pages`).send({ title: 'A' }).expect(201)
  const { body: task } = await owner.post(`/api/spaces/${id}/tasks`).send({ title: 'B' }).expect(201)

  expect(await contents()).toEqual(['page', 'task'])
  await owner.delete(`/api/tasks/${task.id}`).send({ version: task.version })
  expect(await contents()).toEqual(['page'])
})

test('it has the thread in which something was said last', async () => {
  const { id } = (await owner.post('/api/spaces').send({ name: 'Talk' })).body
  const begin = async () => (await owner.post(`/api/spaces/${id}/conversations`).send({}).expect(201)).body
  const said = await begin()
  await owner
    .post(`/api/spaces/${id}/companion/turn`)
    .send({ text: 'What burns?', conversation_id: said.id })
    .expect(200)
  const silent = await begin()

  expect(silent.id).not.toBe(said.id)
  expect((await overview(id)).thread).toMatchObject({ id: said.id })
  expect((await overview(space.id)).thread).toBeNull()
})
