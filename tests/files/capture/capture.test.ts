// Notes and clipped pages: made once, whatever is sent again, and never by an agent.

import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { buildApp } from '../../helpers/build-app.ts'
import { makeAgent } from '../../helpers/world.ts'

const void_ = await buildApp()
const { owner } = void_
const { id: space } = (await owner.post('/api/spaces').send({ name: 'Skerry Light' })).body
const other = (await owner.post('/api/spaces').send({ name: 'Harbour' })).body.id

const put = (body: Record<string, unknown>, id = uuid(), spaceId = space) =>
  owner.put(`/api/spaces/${spaceId}/captures/${id}`).send(body)

describe('a note', () => {
  test('becomes a page under its id, with its first line as the title', async () => {
    const id = uuid()

    const { status, body } = await put({ kind: 'page', text: '## Oil order\n\nTwo barrels.' }, id)

    expect(status).toBe(201)
    expect(body).toMatchObject({
      id,
      space_id: space,
      title: 'Oil order',
      body: 'Two barrels.',
      origin: 'owner',
    })
  })

  test('becomes a task with its due date', async () => {
    const { body } = await put({ kind: 'task', text: 'Order oil\nTwo barrels.', due_on: '2030-05-03' })

    expect(body).toMatchObject({
      title: 'Order oil',
      body: 'Two barrels.',
      due_on: '2030-05-03',
      status: 'open',
    })
  })

  test('that is sent again, also ten times at once, is made once', async () => {
    const id = uuid()

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => put({ kind: 'page', text: 'Sent often' }, id)),
    )

    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
    expect(answers.every(({ body }) => body.id === id && body.version === 1)).toBe(true)
    const { items } = (await owner.get(`/api/spaces/${space}/pages`)).body
    expect(items.filter(({ title }: { title: string }) => title === 'Sent often')).toHaveLength(1)
  })

  test('that was moved to the trash meanwhile is not made again', async () => {
    const id = uuid()
    await put({ kind: 'page', text: 'Thrown away' }, id)
    await owner.delete(`/api/pages/${id}`).send({ version: 1 })

    expect((await put({ kind: 'page', text: 'Thrown away' }, id)).status).toBe(200)
    const { items } = (await owner.get(`/api/spaces/${space}/pages`)).body
    expect(items.map(({ title }: { title: string }) => title)).not.toContain('Thrown away')
  })

  test('under the id of something in a Space that was deleted is refused', async () => {
    const { id: gone } = (await owner.post('/api/spaces').send({ name: 'Given up' })).body
    const id = uuid()
    await put({ kind: 'task', text: 'At the harbour' }, id, gone)
    await owner.delete(`/api/spaces/${gone}`).expect(200)

    for (const kind of ['task', 'page']) {
      const { status, body } = await put({ kind, text: 'At the harbour' }, id)
      expect([status, body.error?.code]).toEqual([409, 'id_taken'])
    }
  })

  test('under the id of something that no note becomes is refused', async () => {
    const { id } = (await owner.post(`/api/spaces/${space}/projects`).send({ title: 'A new lamp' })).body

    const { status, body } = await put({ kind: 'task', text: 'A new lamp' }, id)

    expect([status, body.error?.code]).toEqual([409, 'id_taken'])
  })

  test('under the id of something in another Space is refused, whatever its kind', async () => {
    const id = uuid()
    await put({ kind: 'page', text: 'At the harbour' }, id, other)

    const answers = await Promise.all([
      put({ kind: 'page', text: 'Mine now' }, id),
      put({ kind: 'task', text: 'Mine now' }, id),
    ])

    for (const { status, body } of answers) {
      expect(status).toBe(409)
      expect(body.error.code).toBe('id_taken')
      expect(JSON.stringify(body)).not.toContain('harbour')
    }
  })

  test.each([
    ['is empty', { kind: 'page', text: ' \n ' }],
    ['is too long', { kind: 'page', text: 'x'.repeat(100_001) }],
    ['has another kind', { kind: 'project', text: 'x' }],
  ])('that %s is refused', async (_why, body) => {
    expect((await put(body)).status).toBe(400)
  })

  test('of an agent is refused', async () => {
    const { token } = await makeAgent(void_, { slug: 'scribe' })

    const { status } = await void_
      .as(token)
      .put(`/api/spaces/${space}/captures/${uuid()}`)
      .send({ kind: 'page', text: 'Not mine' })

    expect(status).toBe(403)
  })
})

describe('a clipped page', () => {
  const sentence =
    'The lamp of the lighthouse turns once in ten seconds, and is seen from twenty miles away. '
  const html = `<html><head><title>Lamp</title></head><body><nav>Menu</nav><article><h1>Lamp</h1>${`<p>${sentence.repeat(4)}</p>`.repeat(6)}<script>steal()</script></article></body></html>`

  test('becomes a reference with its article as text, from the web', async () => {
    const clip = { kind: 'ref', title: 'Lamp', url: 'https://example.org/lamp', text: 'For the log.', html }

    const { status, body } = await put(clip)

    expect(status).toBe(201)
    expect(body).toMatchObject({ title: 'Lamp', url: 'https://example.org/lamp', origin: 'web' })
    expect(body.body).toMatch(/^For the log\.\n\n/)
    expect(body.body).toContain(sentence.trim())
    expect(body.body).not.toMatch(/Menu|steal/)
  })

  test('that cannot be read is kept as its address and your words', async () => {
    const clip = { kind: 'ref', title: 'Deep', url: 'https://example.org/', text: 'Why.' }

    const { body } = await put({ ...clip, html: '<div>'.repeat(5000) })

    expect(body).toMatchObject({ title: 'Deep', body: 'Why.', origin: 'web' })
  })

  test('from an address that is none of the web is refused', async () => {
    const { status } = await put({ kind: 'ref', title: 'x', url: 'javascript:alert(1)' })

    expect(status).toBe(400)
  })
})
