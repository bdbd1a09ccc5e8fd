// A draft that its target has moved past: what it is told, merged, settled, and rescued when there is no target.

import { expect, test } from 'vitest'
import type { StaleField } from '../../lib/contract/changes/card.ts'
import type { DiffPart } from '../../lib/contract/changes/text-change.ts'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner } = void_
const world = await makeWorld(void_)
const { token } = await makeAgent(void_, { slug: 'scribe' })
const scribe = void_.as(token)
const at = `/api/spaces/${world.space.id}`

const text = 'Oil: rapeseed\nTank: 40 litres\nRange: 18 miles\nTurn: 12 seconds\nPaint: white\n'
const replaced = (from: string, to: string, of = text) => of.replace(from, to)

async function draftAndMove(drafted: Record<string, unknown>, moved: Record<string, unknown>) {
  const { body: page } = await owner.post(`${at}/pages`).send({ title: 'Lamp sheet', body: text })
  const { body: draft } = await scribe.patch(`/api/pages/${page.id}`).send({ version: 1, ...drafted })
  const { body: now } = await owner.patch(`/api/pages/${page.id}`).send({ version: 1, ...moved })
  return { page: now, draft }
}

const decide = (id: string, decision: string, body = {}) =>
  owner.post(`/api/pending-changes/${id}/${decision}`).send(body)
const changeOf = async (id: string) => (await owner.get(`/api/pending-changes/${id}`)).body
const pageOf = async (id: string) => (await owner.get(`/api/pages/${id}`)).body

test('a stale approval is refused with what changed since and by whom', async () => {
  const { draft } = await draftAndMove({ title: 'Lamp card' }, { title: 'Lamp data' })

  const answer = await decide(draft.id, 'approve')

  expect([answer.status, answer.body.error.code]).toEqual([409, 'stale_version'])
  expect(answer.body.error.details).toMatchObject({
    current: { version: 2, title: 'Lamp data' },
    since: [
      { by: 'owner', version: 2, fields: [{ name: 'title', before: 'Lamp sheet', after: 'Lamp data' }] },
    ],
  })
})

test('what only one side changed is merged into a new draft, which then applies', async () => {
  const { page, draft } = await draftAndMove(
    { title: 'Lamp card', body: replaced('white', 'red') },
    { body: replaced('40', '45') },
  )

  const { body: merged } = await decide(draft.id, 'review-again')
  const again = await decide(draft.id, 'review-again')
  await decide(merged.id, 'approve', { payload_sha256: merged.payload_sha256 })

  expect(merged).toMatchObject({
    status: 'pending',
    derivation: 'merged',
    supersedes: draft.id,
    base_version: 2,
    conflicts: [],
    card: { stale: null },
  })
  expect(again.body.id).toBe(merged.id)
  expect(await changeOf(draft.id)).toMatchObject({
    status: 'superseded',
    superseded_by: merged.id,
    decision: { decision: 'review_again' },
  })
  expect(await pageOf(page.id)).toMatchObject({
    title: 'Lamp card',
    body: replaced('white', 'red', replaced('40', '45')),
    version: 3,
  })
})

test('what both sides changed is a choice, the current side until then, and never a mark in the text', async () => {
  const { page, draft } = await draftAndMove(
    { title: 'Lamp card', body: replaced('40', '50', replaced('white', 'red')) },
    { title: 'Lamp data', body: replaced('40', '45') },
  )

  const { body: merged } = await decide(draft.id, 'review-again')
  const open = await decide(merged.id, 'approve')
  const half = await decide(merged.id, 'approve', { choices: { 0: 'draft' } })
  const settled = await decide(merged.id, 'approve', { choices: { 0: 'draft', 1: 'current' } })
  const same = await decide(merged.id, 'approve', { choices: { 1: 'current', 0: 'draft' } })
  const other = await decide(merged.id, 'approve', { choices: { 0: 'current', 1: 'current' } })

  expect(merged.payload).toEqual({ body: replaced('white', 'red', replaced('40', '45')) })
  expect(merged.card.conflicts).toEqual([
    {
      index: 0,
      field: 'body',
      at: text.indexOf('Tank'),
      base: 'Tank: 40 litres\n',
      current: 'Tank: 45 litres\n',
      draft: 'Tank: 50 litres\n',
    },
    { index: 1, field: 'title', at: null, base: 'Lamp sheet', current: 'Lamp data', draft: 'Lamp card' },
  ])
  expect(open.body.error).toMatchObject({ code: 'open_conflicts', details: { conflicts: [{}, {}] } })
  expect(half.body.error).toMatchObject({ code: 'open_conflicts', details: { conflicts: [{ index: 1 }] } })
  expect(settled.body).toMatchObject({
    status: 'approved',
    derivation: 'resolved',
    supersedes: merged.id,
    payload: { body: replaced('white', 'red', replaced('40', '50')) },
  })
  expect(same.body).toEqual(settled.body)
  expect(other.body.error.code).toBe('already_decided')
  expect(await pageOf(page.id)).toMatchObject({ title: 'Lamp data', body: settled.body.payload.body })
})

test('the current side of every conflict is the merged draft as it is; with nothing else in it, nothing', async () => {
  const kept = await draftAndMove(
    { title: 'Lamp card', body: replaced('white', 'red') },
    { title: 'Lamp data' },
  )
  const moot = await draftAndMove({ title: 'Lamp card' }, { title: 'Lamp data' })

  const { body: merged } = await decide(kept.draft.id, 'review-again')
  const { body: only } = await decide(moot.draft.id, 'review-again')
  const approved = await decide(merged.id, 'approve', { choices: { 0: 'current' } })
  const refused = await decide(only.id, 'approve', { choices: { 0: 'current' } })
  const taken = await decide(only.id, 'approve', { choices: { 0: 'draft' } })

  expect(approved.body).toMatchObject({ id: merged.id, status: 'approved', superseded_by: null })
  expect(only.card.summary).toBe('Resolve conflicts in page ‘Lamp data’')
  expect(refused.body.error.code).toBe('nothing_left')
  expect(taken.body.payload).toEqual({ title: 'Lamp card' })
})

test('a conflict can be settled by the owner’s own words', async () => {
  const { page, draft } = await draftAndMove({ title: 'Lamp card' }, { title: 'Lamp data' })
  const { body: merged } = await decide(draft.id, 'review-again')

  const { body } = await decide(merged.id, 'approve', { edited: { title: 'The lamp’s data card' } })

  expect(body).toMatchObject({ status: 'approved', derivation: 'edited' })
  expect((await pageOf(page.id)).title).toBe('The lamp’s data card')
})

test('a merge that goes stale with open conflicts is merged from the draft again, so that no side is lost', async () => {
  const { page, draft } = await draftAndMove({ body: replaced('40', '50') }, { body: replaced('40', '45') })
  const { body: merged } = await decide(draft.id, 'review-again')
  await owner
    .patch(`/api/pages/${page.id}`)
    .send({ version: 2, body: replaced('40', '45', replaced('white', 'red')) })

  const { body: again } = await decide(merged.id, 'review-again')

  expect(again.payload).toEqual({})
  expect(again.conflicts).toMatchObject([
    { base: 'Tank: 40 litres\n', current: 'Tank: 45 litres\n', draft: 'Tank: 50 litres\n' },
  ])
  const { body: settled } = await decide(again.id, 'approve', { choices: { 0: 'draft' } })
  expect(settled.payload.body).toBe(replaced('40', '50', replaced('white', 'red')))
})

test('a fresh draft is not merged, and one that is said already closes as obsolete', async () => {
  const { body: page } = await owner.post(`${at}/pages`).send({ title: 'Fresh' })
  const { body: fresh } = await scribe.patch(`/api/pages/${page.id}`).send({ version: 1, title: 'Fresher' })
  const { draft: moot } = await draftAndMove({ title: 'Lamp data' }, { title: 'Lamp data' })

  const notStale = await decide(fresh.id, 'review-again')
  const nothing = await decide(moot.id, 'review-again')

  expect(notStale.body.error.code).toBe('not_stale')
  expect(nothing.body.error.code).toBe('nothing_left')
  expect((await changeOf(fresh.id)).status).toBe('pending')
  expect((await changeOf(moot.id)).status).toBe('obsolete')
})

test('a stale delete is reviewed again at the present version', async () => {
  const { body: page } = await owner.post(`${at}/pages`).send({ title: 'Doomed' })
  const { body: draft } = await scribe.delete(`/api/pages/${page.id}`)
  await owner.patch(`/api/pages/${page.id}`).send({ version: 1, title: 'Still doomed' })

  const { body: again } = await decide(draft.id, 'review-again')
  await decide(again.id, 'approve')

  expect(again).toMatchObject({ action: 'delete', base_version: 2, conflicts: [] })
  expect((await pageOf(page.id)).deleted_at).not.toBeNull()
})

test('the text of a draft whose target is gone becomes the draft of a new page', async () => {
  const { body: page } = await owner.post(`${at}/pages`).send({ title: 'Gone page', body: 'old' })
  const { body: draft } = await scribe
    .patch(`/api/pages/${page.id}`)
    .send({ version: 1, body: 'worth keeping' })
  const early = await decide(draft.id, 'as-new-page')
  await owner.delete(`/api/pages/${page.id}`)

  const { body: rescued } = await decide(draft.id, 'as-new-page')
  const again = await decide(draft.id, 'as-new-page')
  await decide(rescued.id, 'approve')

  expect(early.body.error.code).toBe('not_obsolete')
  expect(rescued).toMatchObject({
    status: 'pending',
    derivation: 'rescued',
    action: 'create',
    supersedes: draft.id,
    payload: { title: 'Gone page', body: 'worth keeping' },
  })
  expect(again.body.id).toBe(rescued.id)
  expect(await changeOf(draft.id)).toMatchObject({ status: 'obsolete', superseded_by: rescued.id })
  expect(await pageOf(rescued.entity_id)).toMatchObject({ title: 'Gone page', body: 'worth keeping' })
  expect((await pageOf(page.id)).deleted_at).not.toBeNull()
})

test('a draft without text leaves no page behind', async () => {
  const { body: page } = await owner.post(`${at}/pages`).send({ title: 'Brief' })
  const { body: draft } = await scribe.patch(`/api/pages/${page.id}`).send({ version: 1, title: 'Briefer' })
  await owner.delete(`/api/pages/${page.id}`)

  const answer = await decide(draft.id, 'as-new-page')

  expect(answer.body.error.code).toBe('no_text')
})

test('only the owner reviews again or rescues', async () => {
  const { draft } = await draftAndMove({ title: 'Lamp card' }, { body: 'moved' })

  const answers = await Promise.all(
    ['review-again', 'as-new-page'].map((path) => scribe.post(`/api/pending-changes/${draft.id}/${path}`)),
  )

  expect(answers.map(({ status }) => status)).toEqual([403, 403])
})

test('a stale draft is compared word by word with what it was made against and with the present text', async () => {
  const { draft } = await draftAndMove(
    { title: 'Lamp card', body: replaced('40 litres', '50 litres', replaced('white', 'red')) },
    { body: replaced('40 litres', '45 litres', replaced('rapeseed', 'colza')) },
  )

  const { card } = await changeOf(draft.id)

  const marked = (parts: readonly DiffPart[]) =>
    parts.map(({ kind, text }) => ({ same: text, removed: `-${text}-`, added: `+${text}+` })[kind]).join('')
  const places = card.stale.fields.map(({ name, more, places }: StaleField) => [
    name,
    more,
    places.map(({ current, draft }) => [marked(current), marked(draft)]),
  ])
  expect(places).toEqual([
    [
      'body',
      0,
      [
        ['Oil: -rapeseed-+colza+\nTank: -40-+45+ litres\n', 'Oil: rapeseed\nTank: -40-+50+ litres\n'],
        ['Paint: white\n', 'Paint: -white-+red+\n'],
      ],
    ],
    ['title', 0, [['Lamp sheet', 'Lamp -sheet-+card+']]],
  ])
  expect(card.stale.since).toMatchObject([{ by: 'owner', action: 'update' }])
})

test('of a draft that is not stale nothing is compared, and of a list of cards neither', async () => {
  const { body: page } = await owner.post(`${at}/pages`).send({ title: 'Fresh sheet' })
  const { body: fresh } = await scribe.patch(`/api/pages/${page.id}`).send({ version: 1, title: 'Fresher' })
  const { draft } = await draftAndMove({ title: 'Lamp card' }, { title: 'Lamp data' })

  const { body: changeset } = await owner.get(`/api/changesets/${draft.changeset_id}`)

  expect((await changeOf(fresh.id)).card.stale).toBeNull()
  expect(changeset.items[0].card.stale).toMatchObject({ base_version: 1 })
  expect(changeset.items[0].card.stale).not.toHaveProperty('fields')
})

test('a text with very many changed places, and very long ones, is compared within bounds', async () => {
  const lines = Array.from({ length: 200 }, (_, n) => `Line ${n} says this.\n\n`)
  const { body: page } = await owner.post(`${at}/pages`).send({ title: 'Long', body: lines.join('') })
  const drafted = lines.map((line, n) => (n % 4 === 0 ? line.replace('this', 'that') : line)).join('')
  const { body: draft } = await scribe.patch(`/api/pages/${page.id}`).send({ version: 1, body: drafted })
  await owner.patch(`/api/pages/${page.id}`).send({ version: 1, title: 'Longer' })

  const [field] = (await changeOf(draft.id)).card.stale.fields

  expect([field.places.length, field.more]).toEqual([20, 30])
})
