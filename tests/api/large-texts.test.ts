// Texts near the largest allowed, made to be slow, on every path that compares or parses one for an answer, with threads
// that never finish in time. The answer is plain, and while it is waited for, others read and write.

import { expect, test } from 'vitest'
import { createToolServices } from '../../lib/companion/reading/tool-services.ts'
import type { EntityVersion } from '../../lib/contract/entities.ts'
import { buildApp } from '../helpers/build-app.ts'
import { createHeldThreads } from '../helpers/held-threads.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const held = createHeldThreads()
const built = await buildApp({
  threads: held.threads,
  draftsWaiting: 99,
  draftsPerHour: 99,
  draftBytes: 4e6,
  draftsWaitingBytes: 99e6,
})
const { deps, owner } = built
const world = await makeWorld(built)
const { agentId, token } = await makeAgent(built, { slug: 'scribe' })
const scribe = built.as(token)
const pages = `/api/spaces/${world.space.id}/pages`

/** Characters of a text. */
const length = 1_900_000
const fill = (...pieces: string[]) =>
  pieces.map((piece) => piece.repeat(length / pieces.length / piece.length)).join('')
const brackets = fill('[\n', '](x)\n')
const table = `|a|b|\n|-|-|\n${fill('|[[a|\n')}`
const quotes = fill('> “So it is”\n', '“ ')

async function makePage(body: string, ...later: string[]) {
  const { body: page } = await owner.post(pages).send({ title: 'Large', body })
  for (const [index, text] of later.entries())
    await owner.patch(`/api/pages/${page.id}`).send({ version: index + 1, body: text })
  return page.id as string
}

type Answer = { status: number; body: Record<string, never> }

/** The answer, what was asked of the threads, and what others were answered before it. */
async function whileHeld(ask: () => PromiseLike<Answer>) {
  held.hold()
  const asking = Promise.resolve(ask())
  const { name } = await held.asked()
  const read = await owner.get('/health')
  const written = await owner.post(pages).send({ title: 'Meanwhile', body: '' })
  held.release()
  return { name, meanwhile: [read.status, written.status], answer: await asking }
}

test('blame says that the history is too complex, with the whole text', async () => {
  const id = await makePage(quotes, brackets)

  const { name, meanwhile, answer } = await whileHeld(() => owner.get(`/api/pages/${id}/blame`))

  expect({ name, meanwhile }).toEqual({ name: 'traceChanges', meanwhile: [200, 201] })
  expect(answer.body).toMatchObject({
    too_complex: true,
    complete: false,
    passages: [{ start: 0, text: brackets, seq: null }],
  })
})

test('properties say so, and are empty', async () => {
  const id = await makePage(`---\ntitle: x\n---\n${table}`)

  const { name, meanwhile, answer } = await whileHeld(() => owner.get(`/api/pages/${id}/properties`))

  expect({ name, meanwhile }).toEqual({ name: 'propertiesIn', meanwhile: [200, 201] })
  expect(answer.body).toEqual({ items: [], too_complex: true })
})

test('an undo leaves the choice between whole texts to the owner', async () => {
  const id = await makePage(brackets, table, quotes)
  const { body: history } = await owner.get(`/api/pages/${id}/history`)
  const { seq } = history.items.find(({ version }: EntityVersion) => version === 2)

  const { name, meanwhile, answer } = await whileHeld(() => owner.post(`/api/audit/${seq}/undo`).send({}))
  const settled = await owner
    .post(`/api/audit/${seq}/undo`)
    .send({ settle: { version: 3, fields: { body: brackets } } })

  expect({ name, meanwhile }).toEqual({ name: 'planUndo', meanwhile: [200, 201] })
  expect(answer.status).toBe(409)
  expect(answer.body).toMatchObject({
    error: {
      code: 'undo_conflict',
      details: {
        fields: [
          { name: 'body', clean: false, too_complex: true, ours: brackets, theirs: quotes, conflicts: [] },
        ],
      },
    },
  })
  expect(settled.body.row.body).toBe(brackets)
})

test('a stale draft is merged as one conflict of whole texts', async () => {
  const id = await makePage(brackets)
  const { body: draft } = await scribe.patch(`/api/pages/${id}`).send({ version: 1, body: table })
  await owner.patch(`/api/pages/${id}`).send({ version: 1, body: quotes })

  const { name, meanwhile, answer } = await whileHeld(() =>
    owner.post(`/api/pending-changes/${draft.id}/review-again`),
  )
  const { id: merged } = answer.body as unknown as { id: string }
  const approved = await owner
    .post(`/api/pending-changes/${merged}/approve`)
    .send({ choices: { 0: 'draft' } })

  expect({ name, meanwhile }).toEqual({ name: 'mergeDraft', meanwhile: [200, 201] })
  expect(answer.body).toMatchObject({
    conflicts: [{ field: 'body', at: null, current: quotes, draft: table, too_complex: true }],
  })
  expect(approved.status).toBe(200)
  expect((await owner.get(`/api/pages/${id}`)).body.body).toBe(table)
})

test('a part of a draft is refused with what to do, and all of it is approved', async () => {
  const id = await makePage(table)
  const { body: draft } = await scribe.patch(`/api/pages/${id}`).send({ version: 1, body: brackets })
  const approve = (body: object) => owner.post(`/api/pending-changes/${draft.id}/approve`).send(body)

  const { name, meanwhile, answer } = await whileHeld(() => approve({ hunks: { body: [0] } }))
  const whole = await approve({})

  expect({ name, meanwhile }).toEqual({ name: 'chooseHunks', meanwhile: [200, 201] })
  expect(answer).toMatchObject({ status: 409, body: { error: { code: 'too_complex' } } })
  expect(whole.status).toBe(200)
})

test('a draft is stored with its quotations unchecked', async () => {
  const id = await makePage('Quiet.')

  const { name, meanwhile, answer } = await whileHeld(() =>
    scribe.patch(`/api/pages/${id}`).send({ version: 1, body: quotes }),
  )
  const { id: draft } = answer.body as unknown as { id: string }
  const { body: stored } = await owner.get(`/api/pending-changes/${draft}`)

  expect({ name, meanwhile }).toEqual({ name: 'readAddedQuotes', meanwhile: [200, 201] })
  expect(answer.status).toBe(202)
  expect(stored.provenance.quotes).toMatchObject([{ field: 'body', verdict: 'unchecked' }])
})

test('a page is painted with its text as it is, and small ones as ever', async () => {
  const id = await makePage(table)
  const small = await makePage('# Oil\n\nA *quiet* night.')
  const paint = (page: string) => owner.get(`/s/${world.space.slug}/pages/${page}`)

  const { name, meanwhile, answer } = await whileHeld(() => paint(id))
  const painted = await paint(small)

  expect({ name, meanwhile }).toEqual({ name: 'paintRecorded', meanwhile: [200, 201] })
  const { status, text } = answer as unknown as { status: number; text: string }
  expect(status).toBe(200)
  expect(text).toContain('This text is too complex to show in full. It is shown as it is.')
  expect(text.split('<div id="app">')[1]?.split('id="preloaded"')[0]).toContain('<code>|a|b|')
  expect(painted.text).toContain('<em>quiet</em>')
})

test('an agent is told that the owner’s edit is too complex to show', async () => {
  const id = await makePage('Quiet.')
  const { body: draft } = await scribe.patch(`/api/pages/${id}`).send({ version: 1, body: quotes })
  await owner.post(`/api/pending-changes/${draft.id}/approve`).send({ edited: { body: brackets } })
  const services = createToolServices({ ...deps, ...deps.changes })
  const capabilities = { read: true, suggest: true, write: false } as const
  const actor = { kind: 'agent' as const, agent_id: agentId, slug: 'scribe', capabilities, spaces: null }

  const { name, meanwhile, answer } = await whileHeld(async () => {
    const outcomes = await services.outcomes(actor, { space_id: world.space.id, id: draft.id, limit: 1 })
    return { status: 200, body: { outcomes } as never }
  })

  expect({ name, meanwhile }).toEqual({ name: 'lineDiff', meanwhile: [200, 201] })
  expect(answer.body.outcomes).toMatchObject([
    { outcome: 'edited', owner_changed: [{ field: 'body', too_complex: true }] },
  ])
})
