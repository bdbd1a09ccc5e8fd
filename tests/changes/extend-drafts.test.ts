// A second request for a thing that has a draft waiting: both changes, and a word about whatever is left out.

import { expect, test } from 'vitest'
import { draftResult, toDraft } from '../../lib/ai/agent/tools/propose_change.ts'
import type { PendingChange } from '../../lib/contract/changes/pending-change.ts'
import { buildApp } from '../helpers/build-app.ts'
import { beginTurn, companion } from '../helpers/one-turn.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner } = void_
const world = await makeWorld(void_)
const space_id = world.space.id
const at = `/api/spaces/${space_id}`

async function makePage(body: string) {
  return (await owner.post(`${at}/pages`).send({ title: `Page of ${crypto.randomUUID()}`, body })).body
}
type Update = { payload?: Record<string, unknown>; edits?: { old_text: string; new_text: string }[] }

/** Each in a turn of its own. */
async function draft(page: { id: string }, update: Update): Promise<PendingChange> {
  const propose = await beginTurn(void_, space_id)
  return await propose({ entity_type: 'page', action: 'update', entity_id: page.id, ...update })
}
const changeOf = async (id: string) => (await owner.get(`/api/pending-changes/${id}`)).body
const codesOf = (change: { card: { warnings: { code: string }[] } }) =>
  change.card.warnings.map(({ code }) => code)

test('“replace bold with brave” and then “add a line” are one draft with both', async () => {
  const page = await makePage('A bold keeper.\n\nThe lamp turns.')
  const first = await draft(page, { edits: [{ old_text: 'bold', new_text: 'brave' }] })
  const second = await draft(page, { payload: { body: 'A bold keeper.\n\nThe lamp turns.\nOil is low.' } })

  expect(second).toMatchObject({
    derivation: 'extended',
    supersedes: first.id,
    drops: [],
    payload: { body: 'A brave keeper.\n\nThe lamp turns.\nOil is low.' },
  })
  expect(codesOf(await changeOf(second.id))).not.toContain('drops_earlier')
  await owner.post(`/api/pending-changes/${second.id}/approve`).send({}).expect(200)
  expect((await owner.get(`/api/pages/${page.id}`)).body.body).toBe(
    'A brave keeper.\n\nThe lamp turns.\nOil is low.',
  )
})

test('two changes of one line are both kept', async () => {
  const page = await makePage('A bold keeper saw the grey seal.\n')
  await draft(page, { edits: [{ old_text: 'bold', new_text: 'brave' }] })
  const second = await draft(page, { payload: { body: 'A bold keeper saw the old seal.\n' } })

  expect(second).toMatchObject({ payload: { body: 'A brave keeper saw the old seal.\n' }, drops: [] })
})

test('an edit may name the words of the waiting draft, or those of the page', async () => {
  const page = await makePage('A bold keeper.\nThe lamp.\n')
  await draft(page, { edits: [{ old_text: 'bold', new_text: 'brave' }] })
  const second = await draft(page, { edits: [{ old_text: 'brave keeper', new_text: 'brave old keeper' }] })
  const third = await draft(page, {
    edits: [{ old_text: 'bold keeper.\nThe lamp', new_text: 'bold keeper.\nThe horn' }],
  })

  expect(second.payload).toEqual({ body: 'A brave old keeper.\nThe lamp.\n' })
  expect(third.payload).toEqual({ body: 'A brave old keeper.\nThe horn.\n' })
})

test('what is added at the end stands in the order in which it was asked for', async () => {
  const page = await makePage('A keeper.\n\nThe lamp.\n')
  const append = (line: string) => ({ edits: [{ old_text: 'The lamp.', new_text: `The lamp.\n\n${line}` }] })
  await draft(page, append('Bring oil.'))
  const second = await draft(page, append('Bring a hat.'))

  expect(second.payload).toEqual({ body: 'A keeper.\n\nThe lamp.\n\nBring oil.\n\nBring a hat.\n' })
  expect(second.drops).toEqual([])
})

test('other fields of the waiting draft stay, and what is given anew counts and is named', async () => {
  const page = await makePage('One line.\n')
  await draft(page, { payload: { title: 'First name', body: 'Two lines.\n' } })
  const second = await draft(page, { payload: { title: 'Second name' } })

  expect(second.payload).toEqual({ title: 'Second name', body: 'Two lines.\n' })
  expect(second.drops).toEqual([{ field: 'title', text: 'First name' }])
  expect((await changeOf(second.id)).card.warnings).toContainEqual({
    code: 'drops_earlier',
    message: 'It leaves out what an earlier draft would change: title ‘First name’.',
    field: null,
    hunk: null,
  })
})

test('of words that both change the newer ones count, and the card says what is left out', async () => {
  const page = await makePage('A bold keeper.\nThe lamp.\n')
  await draft(page, { edits: [{ old_text: 'bold', new_text: 'brave' }] })
  const second = await draft(page, { payload: { body: 'A timid keeper.\nThe lamp.\n' } })

  expect(second.payload).toEqual({ body: 'A timid keeper.\nThe lamp.\n' })
  expect(second.drops).toEqual([{ field: 'body', text: 'A brave keeper.' }])
  expect(codesOf(await changeOf(second.id))).toContain('drops_earlier')
})

test('a page that changed meanwhile keeps that, too', async () => {
  const page = await makePage('A bold keeper.\n\nThe lamp.\n')
  await draft(page, { edits: [{ old_text: 'bold', new_text: 'brave' }] })
  await owner.patch(`/api/pages/${page.id}`).send({ version: 1, body: 'A bold keeper.\n\nThe big lamp.\n' })
  const second = await draft(page, { payload: { body: 'A bold keeper.\n\nThe big lamp.\nOil.\n' } })

  expect(second).toMatchObject({
    base_version: 2,
    drops: [],
    payload: { body: 'A brave keeper.\n\nThe big lamp.\nOil.\n' },
  })
})

test('of two proposals in one turn the first goes on over the owner’s save between them', async () => {
  const page = await makePage('A bold keeper.\n\nThe lamp.\n')
  const propose = await beginTurn(void_, space_id)
  const update = (change: Update) =>
    propose({ entity_type: 'page', action: 'update', entity_id: page.id, ...change })
  const first = await update({
    payload: { title: 'The keeper' },
    edits: [{ old_text: 'bold', new_text: 'brave' }],
  })
  await owner.patch(`/api/pages/${page.id}`).send({ version: 1, body: 'A bold keeper.\n\nThe big lamp.\n' })

  const second = await update({ edits: [{ old_text: 'The big lamp.', new_text: 'The big lamp.\nOil.' }] })

  expect(second).toMatchObject({
    derivation: 'revised',
    supersedes: first.id,
    base_version: 2,
    drops: [],
    payload: { title: 'The keeper', body: 'A brave keeper.\n\nThe big lamp.\nOil.\n' },
  })
})

test('what the owner has changed otherwise between two proposals of one turn is named as left out', async () => {
  const page = await makePage('A bold keeper.\n\nThe lamp.\n')
  const propose = await beginTurn(void_, space_id)
  const update = (change: Update) =>
    propose({ entity_type: 'page', action: 'update', entity_id: page.id, ...change })
  await update({ payload: { title: 'The keeper' }, edits: [{ old_text: 'bold', new_text: 'brave' }] })
  await owner
    .patch(`/api/pages/${page.id}`)
    .send({ version: 1, title: 'Keeper', body: 'A timid keeper.\n\nThe lamp.\n' })

  const second = await update({ edits: [{ old_text: 'The lamp.', new_text: 'The lamp.\nOil.' }] })

  expect(second.payload).toEqual({ body: 'A timid keeper.\n\nThe lamp.\nOil.\n' })
  expect(second.drops).toEqual([
    { field: 'body', text: 'A brave keeper.' },
    { field: 'title', text: 'The keeper' },
  ])
  const result = toDraft(companion, await changeOf(second.id))
  const leftOut =
    'It leaves out what an earlier draft would change: text ‘A brave keeper.’, title ‘The keeper’.'
  expect(draftResult.render?.(result)).toContain(leftOut)
  expect(draftResult.structured?.of(result)).toMatchObject({ left_out: leftOut })
})

test('of two whole texts in one turn both changes go on, and a deletion that is taken back is named', async () => {
  const page = await makePage('A bold keeper.\n\nThe lamp.\n')
  const propose = await beginTurn(void_, space_id)
  const target = { entity_type: 'page', entity_id: page.id }
  await propose({ ...target, action: 'update', payload: { body: 'A brave keeper.\n\nThe lamp.\n' } })
  const both = await propose({
    ...target,
    action: 'update',
    payload: { body: 'A bold keeper.\n\nThe big lamp.\n' },
  })
  await propose({ ...target, action: 'delete' })
  const kept = await propose({ ...target, action: 'update', payload: { title: 'Kept after all' } })

  expect(both).toMatchObject({ payload: { body: 'A brave keeper.\n\nThe big lamp.\n' }, drops: [] })
  expect(kept.drops).toEqual([{ field: '', text: 'the deletion' }])
})

test('lines that the owner has replaced are not taken for changes of the earlier draft', async () => {
  const page = await makePage('A bold keeper.\nThe tide is low.\nThe lamp.\n')
  await draft(page, { edits: [{ old_text: 'bold', new_text: 'brave' }] })
  await owner
    .patch(`/api/pages/${page.id}`)
    .send({ version: 1, body: 'A bold keeper.\nGulls everywhere today.\nThe lamp.\n' })

  const second = await draft(page, { payload: { title: 'The keeper' } })

  expect(second.payload).toEqual({ title: 'The keeper' })
  expect(second.drops).toEqual([{ field: 'body', text: 'A brave keeper.' }])
})

test('the draft’s side of an open conflict is named when a newer draft leaves it out', async () => {
  const page = await makePage('A bold keeper.\n\nThe lamp.\n')
  const first = await draft(page, { edits: [{ old_text: 'bold', new_text: 'brave' }] })
  await owner.patch(`/api/pages/${page.id}`).send({ version: 1, body: 'A timid keeper.\n\nThe lamp.\n' })
  const { body: merged } = await owner.post(`/api/pending-changes/${first.id}/review-again`).send({})
  const second = await draft(page, { payload: { title: 'The keeper' } })

  expect(merged.conflicts).toHaveLength(1)
  expect(second).toMatchObject({ payload: { title: 'The keeper' }, conflicts: [] })
  expect(second.drops).toEqual([{ field: 'body', text: 'A brave keeper.' }])
})

test('what was left out once stays named until a draft has it again', async () => {
  const page = await makePage('A bold keeper.\n\nThe lamp.\n')
  await draft(page, { edits: [{ old_text: 'bold', new_text: 'brave' }] })
  await draft(page, { payload: { body: 'A timid keeper.\n\nThe lamp.\n' } })
  const third = await draft(page, { payload: { title: 'The keeper' } })
  const fourth = await draft(page, { edits: [{ old_text: 'timid', new_text: 'brave' }] })

  expect(third.drops).toEqual([{ field: 'body', text: 'A brave keeper.' }])
  expect(fourth.drops).toEqual([{ field: 'body', text: 'A timid keeper.' }])
})

test('a revision by name answers the conflicts of the fields that it mentions, and names the others', async () => {
  const conflicting = async () => {
    const page = await makePage('A bold keeper.\n')
    const first = await draft(page, { payload: { body: 'A brave keeper.\n' } })
    await owner.patch(`/api/pages/${page.id}`).send({ version: 1, body: 'A timid keeper.\n' })
    return (await owner.post(`/api/pending-changes/${first.id}/review-again`).send({})).body
  }
  const revise = async (merged: PendingChange, payload: Record<string, unknown>) =>
    await (await beginTurn(void_, space_id))({
      ...{ entity_type: 'page', action: 'update', supersedes: merged.id, payload },
    })

  const silent = await revise(await conflicting(), { title: 'The keeper' })
  const answered = await revise(await conflicting(), { body: 'A quiet keeper.\n' })

  expect(silent.drops).toEqual([{ field: 'body', text: 'A brave keeper.' }])
  expect(answered.drops).toEqual([])
})

test('the sources of both are the sources of the new one', async () => {
  const page = await makePage('A bold keeper.\n')
  const given = (entity_id: string) => ({
    sources: [{ entity_type: 'page', entity_id, title: '', given_by: 'read' as const, texts: ['Oil.'] }],
    said: [],
  })
  const propose = async (entity_id: string, payload: Record<string, unknown>) =>
    await (await beginTurn(void_, space_id))({
      ...{ entity_type: 'page', action: 'update', entity_id: page.id },
      ...{ payload, given: given(entity_id) },
    })
  await propose(world.lamp.id, { title: 'Keeper of the lamp' })
  const second = await propose(world.lease.id, { body: 'A brave keeper.\n' })

  expect(second.provenance.sources.map(({ entity_id }) => entity_id).toSorted()).toEqual(
    [world.lamp.id, world.lease.id].toSorted(),
  )
})

test('a deletion takes the place of a change, and a change that of a deletion says so', async () => {
  const page = await makePage('One line.\n')
  const propose = await beginTurn(void_, space_id)
  await propose({ entity_type: 'page', action: 'delete', entity_id: page.id })
  const change = await draft(page, { payload: { title: 'Kept after all' } })

  expect(change).toMatchObject({ derivation: 'revised', payload: { title: 'Kept after all' } })
  expect(change.drops).toEqual([{ field: '', text: 'the deletion' }])
})

test('a draft that names the one it revises replaces its words, and is no leaving out', async () => {
  const page = await makePage('One line.\n')
  const first = await draft(page, { payload: { body: 'A long line.\n' } })
  const propose = await beginTurn(void_, space_id)
  const second = await propose({
    ...{ entity_type: 'page', action: 'update', entity_id: page.id, supersedes: first.id },
    payload: { body: 'A short line.\n' },
  })

  expect(second).toMatchObject({ derivation: 'revised', drops: [], payload: { body: 'A short line.\n' } })
})

test('an outside agent’s newer draft says what it leaves out of the one before', async () => {
  const scribe = void_.as((await makeAgent(void_, { slug: 'scribe' })).token)
  const page = await makePage('One line.\n')
  await scribe.patch(`/api/pages/${page.id}`).send({ version: 1, title: 'Another name' })
  const { body } = await scribe.patch(`/api/pages/${page.id}`).send({ version: 1, body: 'Two lines.\n' })

  expect(body).toMatchObject({ derivation: 'revised', payload: { body: 'Two lines.\n' } })
  expect(body.drops).toEqual([{ field: 'title', text: 'Another name' }])
})

test('what a draft leaves out cannot be taken back from it', async () => {
  const page = await makePage('One line.\n')
  await draft(page, { payload: { title: 'First' } })
  const { id } = await draft(page, { payload: { title: 'Second' } })

  await expect(
    void_.deps.database.query(`update pending_changes set drops = '[]' where id = $1`, [id]),
  ).rejects.toThrow('never changes')
})
