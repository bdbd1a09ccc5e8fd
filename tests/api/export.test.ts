import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner } = void_
const world = await makeWorld(void_)

const linesOf = (body: unknown): Record<string, unknown>[] =>
  String(body)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

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
    counts: {
      ...{ page: 2, page_view: 0, project: 1, ref: 230, resource: 0, source_doc: 0, task: 1 },
      ...{ conversation: 0, message: 0, pending_change: 0, research_run: 0, mail_message: 0, audit: 235 },
      conversation_attachment: 0,
    },
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

  const things = linesOf(here.body).filter(({ type }) => type !== 'audit')
  expect(JSON.stringify(things)).not.toContain('Paint the gallery rail')
  expect(String(other.body).trimEnd().split('\n')).toHaveLength(3)
})

test('what was said, drafted and done is in it, page after page, and the trash when it is asked for', async () => {
  const { body: space } = await owner.post('/api/spaces').send({ name: 'Log house' })
  const at = `/api/spaces/${space.id}`
  for (let n = 0; n < 45; n++) {
    await owner.post(`${at}/companion/turn`).send({ text: `Create a task to do thing ${n}` })
  }
  const { body: gone } = await owner.post(`${at}/pages`).send({ title: 'Thrown away' })
  await owner.delete(`/api/pages/${gone.id}`).send({ version: 1 })

  const plain = linesOf((await owner.get(`${at}/export`).responseType('blob')).body)
  const whole = linesOf((await owner.get(`${at}/export?trash=true`).responseType('blob')).body)

  const ids = (lines: Record<string, unknown>[], type: string) =>
    new Set(lines.filter((each) => each.type === type).map(({ id, seq }) => id ?? seq))
  const { counts } = plain.at(-1) as { counts: Record<string, number> }
  expect(counts).toMatchObject({ page: 0, conversation: 1, message: 90, pending_change: 45 })
  expect(ids(plain, 'message').size).toBe(90)
  expect(ids(plain, 'pending_change').size).toBe(45)
  expect(ids(plain, 'audit').size).toBe(counts.audit)
  expect(plain.find(({ role }) => role === 'user')).toMatchObject({ body: 'Create a task to do thing 0' })
  const draft = plain.find(({ type }) => type === 'pending_change')
  expect(payloadHash(String(draft?.payload))).toBe(draft?.payload_sha256)
  expect(plain.some(({ title }) => title === 'Thrown away')).toBe(false)
  expect(whole.find(({ title }) => title === 'Thrown away')?.deleted_at).toEqual(expect.any(String))
})

const payloadHash = (text: string) => createHash('sha256').update(text).digest('hex')
