import { expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner } = void_
const world = await makeWorld(void_)

test('everything in the Space comes as a line, and the last line counts them', async () => {
  for (let n = 0; n < 230; n++) {
    await owner.post(`/api/spaces/${world.space.id}/refs`).send({ title: `Chart ${n}` })
  }

  const answer = await owner.get(`/api/spaces/${world.space.id}/export`).responseType('blob')
  const lines = String(answer.body)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

  expect(answer.headers['content-disposition']).toMatch(/attachment; filename="skerry-light-.*\.jsonl"/)
  expect(lines[0]).toMatchObject({ type: 'export', space: { name: 'Skerry Light' } })
  expect(lines.at(-1)).toEqual({
    type: 'end',
    counts: { page: 2, project: 1, ref: 230, resource: 0, source_doc: 0, task: 1 },
  })
  expect(lines.filter(({ type }) => type === 'ref')).toHaveLength(230)
  expect(lines.find(({ title }) => title === 'The lamp')).toMatchObject({
    type: 'page',
    body: world.lamp.body,
  })
})

test('nothing of another Space and nothing from the trash is in it', async () => {
  await owner.delete(`/api/tasks/${world.paint.id}`)

  const here = await owner.get(`/api/spaces/${world.space.id}/export`).responseType('blob')
  const other = await owner.get(`/api/spaces/${world.other.id}/export`).responseType('blob')

  expect(String(here.body)).not.toContain('Paint the gallery rail')
  expect(String(other.body).trimEnd().split('\n')).toHaveLength(2)
})
