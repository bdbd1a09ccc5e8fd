// Renames that are approved together are one mapping: each link leads afterwards where it led before.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLinksRepo } from '../../../lib/db/repos/links.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { beginTurn } from '../../helpers/one-turn.ts'
import { runs } from '../../helpers/runs.ts'

const app = await buildApp()
const {
  owner,
  deps: { database },
} = app

type Page = { id: string; title: string; body: string }

const names = ['Draft', 'Plan', 'Plan 2025', 'Plan (old)', 'draft of plan', 'Übersicht']

async function makeSpace(): Promise<string> {
  return (await owner.post('/api/spaces').send({ name: 'Skerry Light' })).body.id
}

async function make(space: string, kind: string, title: string, body: string): Promise<Page> {
  const made = await owner.post(`/api/spaces/${space}/${kind}`).send({ title, body })
  expect(made.status).toBe(201)
  return made.body
}

async function approveRenames(space: string, renames: [Page, string][]): Promise<string> {
  const draft = await beginTurn(app, space)
  const drafts = []
  for (const [{ id }, title] of renames) {
    drafts.push(await draft({ entity_type: 'page', action: 'update', entity_id: id, payload: { title } }))
  }
  const payloads = Object.fromEntries(drafts.map(({ id, payload_sha256 }) => [id, payload_sha256]))
  const path = `/api/changesets/${drafts[0]!.changeset_id}`
  const approved = await owner.post(`${path}/approve`).send({ payloads })
  expect(approved.status).toBe(200)
  return path
}

const targets = async (space: string, { id }: Page) =>
  (await createLinksRepo(database).listFrom(space, id)).map(({ to_id }) => to_id)
const bodyOf = async ({ id }: Page) => (await owner.get(`/api/pages/${id}`)).body.body

test.each([
  [['Plan', 'Plan 2025'], '[[Plan]] [[Plan 2025]] [x](Plan.md)'],
  [['Plan', 'Draft'], '[[Plan]] [[Draft]] [x](Plan.md)'],
])('a name that is passed on goes to %j', async ([first, second], expected) => {
  const space = await makeSpace()
  const draft = await make(space, 'pages', 'Draft', 'I am [[Draft]], not [[Plan]].')
  const plan = await make(space, 'pages', 'Plan', '')
  const reader = await make(space, 'pages', 'Reader', '[[Draft]] [[Plan]] [x](Draft.md)')
  const before = await targets(space, reader)
  const path = await approveRenames(space, [
    [draft, first!],
    [plan, second!],
  ])

  expect(await bodyOf(reader)).toBe(expected)
  expect(await targets(space, reader)).toEqual(before)
  expect(await bodyOf(draft)).toBe(`I am [[${first}]], not [[${second}]].`)

  await owner.post(`${path}/undo`).send({}).expect(200)
  expect(await bodyOf(reader)).toBe('[[Draft]] [[Plan]] [x](Draft.md)')
  expect(await targets(space, reader)).toEqual(before)
  expect(await bodyOf(draft)).toBe('I am [[Draft]], not [[Plan]].')
})

test('every permutation of names keeps every link, and its undo brings every text back', async () => {
  const given = fc.record({
    from: fc.shuffledSubarray(names, { minLength: 2 }),
    to: fc.shuffledSubarray(names, { minLength: names.length }),
    order: fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }),
  })
  await fc.assert(
    fc.asyncProperty(given, async ({ from, to, order }) => {
      const space = await makeSpace()
      const pages: Page[] = []
      for (const title of from) {
        pages.push(await make(space, 'pages', title, from.map((name) => `[[${name}|x]]`).join(' ')))
      }
      const reader = await make(space, 'pages', 'Reader', from.map((name) => `[[${name}]]`).join(' '))
      const texts = [...pages, reader]
      const bodies = await Promise.all(texts.map(bodyOf))
      const before = await Promise.all(texts.map((page) => targets(space, page)))
      const renames = order
        .filter((index) => index < pages.length && from[index] !== to[index])
        .map((index): [Page, string] => [pages[index]!, to[index]!])
      if (renames.length === 0) return

      const path = await approveRenames(space, renames)
      expect(await Promise.all(texts.map((page) => targets(space, page)))).toEqual(before)
      expect(await bodyOf(reader)).toBe(from.map((_, index) => `[[${to[index]}]]`).join(' '))

      await owner.post(`${path}/undo`).send({}).expect(200)
      expect(await Promise.all(texts.map((page) => targets(space, page)))).toEqual(before)
      expect(await Promise.all(texts.map(bodyOf))).toEqual(bodies)
    }),
    { numRuns: runs(12) },
  )
})
