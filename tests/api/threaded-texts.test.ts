// Texts that are too large for the main thread and simple enough for a thread: the answers are those of small ones.

import { expect, test } from 'vitest'
import type { EntityVersion } from '../../lib/contract/entities.ts'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const built = await buildApp({
  draftsWaiting: 99,
  draftsPerHour: 99,
  draftBytes: 4e6,
  draftsWaitingBytes: 99e6,
})
const { owner } = built
const world = await makeWorld(built)
const { token } = await makeAgent(built, { slug: 'scribe' })
const scribe = built.as(token)

const lines = Array.from({ length: 6000 }, (_, n) => `Night ${n} was *quiet*.\n\n`)
const first = `---\nkeeper: Ada\n---\n${lines.join('')}`
const second = first.replace('Night 3 was', 'Night three was')
const third = second.replace('Night 5000 was', 'Night five thousand was')

async function makePage(...texts: string[]) {
  const [body, ...later] = texts
  const { body: page } = await owner
    .post(`/api/spaces/${world.space.id}/pages`)
    .send({ title: 'Nights', body })
  for (const [index, text] of later.entries())
    await owner.patch(`/api/pages/${page.id}`).send({ version: index + 1, body: text })
  return page.id as string
}

test('properties and blame', async () => {
  const id = await makePage(first, second)

  const properties = await owner.get(`/api/pages/${id}/properties`)
  const blame = await owner.get(`/api/pages/${id}/blame`)

  const keeper = { name: 'keeper', values: ['Ada'], type: 'text', value: 'Ada' }
  expect(properties.body).toEqual({ items: [keeper], too_complex: false })
  expect(blame.body).toMatchObject({ too_complex: false, complete: true })
  expect(blame.body.passages.map(({ text }: { text: string }) => text)).toContain('three')
})

test('an undo and a stale draft are merged, and a part of a draft is approved', async () => {
  const id = await makePage(first, second, third)
  const { body: history } = await owner.get(`/api/pages/${id}/history`)
  const { seq } = history.items.find(({ version }: EntityVersion) => version === 2)
  const { body: draft } = await scribe.patch(`/api/pages/${id}`).send({
    version: 3,
    body: third.replace('Night 10 was', 'Night ten was').replace('Night 4000 was', 'Gone'),
  })

  const undone = await owner.post(`/api/audit/${seq}/undo`).send({})
  const merged = await owner.post(`/api/pending-changes/${draft.id}/review-again`)
  const part = await owner
    .post(`/api/pending-changes/${merged.body.id}/approve`)
    .send({ hunks: { body: [0] } })

  expect(undone.body.row.body).toBe(first.replace('Night 5000 was', 'Night five thousand was'))
  expect(merged.body).toMatchObject({ derivation: 'merged', conflicts: [] })
  expect(part.body.successor).toMatchObject({ derivation: 'rest' })
  expect((await owner.get(`/api/pages/${id}`)).body.body).toBe(
    undone.body.row.body.replace('Night 10 was', 'Night ten was'),
  )
})

test('the paint of a page, while others are answered', async () => {
  const id = await makePage(first)
  const answered: string[] = []

  const painting = owner.get(`/s/${world.space.slug}/pages/${id}`).then(({ text }) => {
    answered.push('page')
    return text
  })
  for (let n = 0; n < 3; n++) await owner.get('/health').then(() => answered.push('health'))
  const html = await painting

  expect(answered).toEqual(['health', 'health', 'health', 'page'])
  expect(html.split('id="preloaded"')[0]).toContain('<p>Night 5999 was <em>quiet</em>.</p>')
})
