import { beforeEach, expect, test } from 'vitest'
import { createDrills } from '../../lib/attention/drills.ts'
import { makeDrill } from '../../lib/attention/make-drill.ts'
import { createLedger } from '../../lib/changes/ledger.ts'
import { createPendingChangeListsRepo } from '../../lib/db/repos/pending_change_lists.ts'
import { createPendingChangesRepo } from '../../lib/db/repos/pending_changes.ts'
import { buildApp } from '../helpers/build-app.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { lampBody, makeWorld, type World } from '../helpers/world.ts'

const void_ = await buildApp()
const { app, owner, deps } = void_
const dayMs = 24 * 60 * 60 * 1000
let today = new Date('2031-04-01T08:00:00Z')
let chance = 0
const drills = createDrills({
  database: deps.database,
  ledger: createLedger({ onChange: () => {} }),
  now: () => today,
  random: () => chance,
})
let world: World

beforeEach(async () => {
  world = await makeWorld(void_)
  chance = 0
})

/** A drill, as the owner finds it. */
async function takeDrill() {
  await drills.set(true)
  today = new Date(today.getTime() + 30 * dayMs)
  const drill = await drills.runDue()
  if (!drill) throw new Error('there is no drill')
  return drill
}

const read = async (id: string) => (await owner.get(`/api/pending-changes/${id}`)).body
const figures = async () => (await owner.get('/api/attention')).body

test('there are none unless the owner asks for them, and none before its day', async () => {
  today = new Date(today.getTime() + 100 * dayMs)
  expect(await drills.runDue()).toBeNull()

  await drills.set(true)
  expect(await drills.runDue()).toBeNull()
  today = new Date(today.getTime() + 5 * dayMs)
  const [one, other] = await Promise.all([drills.runDue(), drills.runDue()])
  const drill = one ?? other

  expect([one, other].filter(Boolean)).toHaveLength(1)
  today = new Date(today.getTime() + 100 * dayMs)
  expect(await drills.runDue()).toBeNull()
  await owner.post(`/api/pending-changes/${drill?.id}/reject`).send({})
  await drills.set(false)
  expect(await drills.runDue()).toBeNull()
})

test('it waits among the others and looks like one of them until it is decided', async () => {
  const drill = await takeDrill()
  const { body: lines } = await owner.get('/api/inbox/lines')
  const shown = await read(drill.id)

  expect(
    lines.items.map(({ pending_change_id }: { pending_change_id: string }) => pending_change_id),
  ).toContain(drill.id)
  expect(shown).toMatchObject({
    drill: false,
    status: 'pending',
    card: { drill: false, agent: { slug: 'companion' } },
  })

  await owner.post(`/api/pending-changes/${drill.id}/reject`).send({ reason: 'No.' })
  expect(await read(drill.id)).toMatchObject({ drill: true, status: 'rejected', card: { drill: true } })
})

test('approved, it tells so at once and has changed nothing, again and again', async () => {
  const drill = await takeDrill()
  const before = await counts()
  const approve = () => owner.post(`/api/pending-changes/${drill.id}/approve`).send({})

  const answers = await Promise.all([approve(), approve(), approve()])

  for (const { status, body } of answers) expect([status, body.error.code]).toEqual([409, 'drill'])
  expect(await counts()).toEqual(before)
  expect(await read(drill.id)).toMatchObject({ drill: true, status: 'retracted', result_version: null })
  const { drills: told } = await figures()
  expect(told.latest[0]).toMatchObject({ pending_change_id: drill.id, approved: true })
})

test('no other way of approving it has an effect either', async () => {
  for (const way of [
    (id: string) => owner.post(`/api/pending-changes/${id}/approve`).send({ edited: { title: 'x' } }),
    (id: string) => owner.post(`/api/pending-changes/${id}/approve`).send({ fields: [] }),
    (id: string) => owner.post(`/api/pending-changes/${id}/review-again`).send({}),
    (id: string) => owner.post(`/api/pending-changes/${id}/as-new-page`).send({}),
    (id: string) => owner.post(`/api/pending-changes/${id}/undo`).send({}),
  ]) {
    const drill = await takeDrill()
    const before = await counts()

    const answer = await way(drill.id)

    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(await counts()).toEqual(before)
    await owner.post(`/api/pending-changes/${drill.id}/reject`).send({})
  }
})

test('the database refuses what the code above it would let through', async () => {
  const drill = await takeDrill()
  const { database } = deps

  await expect(
    database.query(
      "update pending_changes set status = 'approved', decided_at = now(), result_version = 1 where id = $1",
      [drill.id],
    ),
  ).rejects.toThrow(/drill_is_never_applied/)
  await expect(
    database.query('update pending_changes set drill = false where id = $1', [drill.id]),
  ).rejects.toThrow(/never changes/)
  await expect(
    database.query(
      `insert into audit_log (space_id, actor, action, entity_type, entity_id, pending_change_id)
       values ($1, 'owner', 'update', 'page', $2, $3)`,
      [drill.space_id, drill.entity_id, drill.id],
    ),
  ).rejects.toThrow(/changes nothing/)
  await owner.post(`/api/pending-changes/${drill.id}/reject`).send({})
})

test('no agent sees or hears of it, and none takes its place', async () => {
  const drill = await takeDrill()
  const within = { space_ids: null, agent_id: drill.agent_id }
  const changes = createPendingChangesRepo(deps.database)
  const filter = { ...within, status: null, before_id: null, limit: 200 }

  expect(await changes.find(drill.id, within)).toBeNull()
  expect((await createPendingChangeListsRepo(deps.database).list(filter)).map(({ id }) => id)).not.toContain(
    drill.id,
  )

  const payload = { title: 'A title' }
  const input = { entity_type: 'page', action: 'update', entity_id: drill.entity_id, payload, reason: 'x' }
  const model = scriptedModel([
    { tools: [{ name: 'propose_change', input }] },
    { text: 'Drafted.' },
    { text: 'Well.' },
  ])
  app.locals.callModel = model
  const turn = `/api/spaces/${drill.space_id}/companion/turn`
  await owner.post(turn).send({ text: 'Give it a title' })
  expect((await read(drill.id)).status).toBe('pending')
  await owner.post(`/api/pending-changes/${drill.id}/approve`).send({})
  await owner.post(turn).send({ text: 'And now?' })

  expect(JSON.stringify(model.requests)).not.toContain(drill.id)
  const { body: found } = await owner.get(`/api/search?q=duplicate&space_id=${drill.space_id}`)
  expect(JSON.stringify(found)).not.toContain(drill.id)
})

test('it counts for nothing in how the owner decides', async () => {
  const before = await figures()
  const drill = await takeDrill()
  await owner.post(`/api/pending-changes/${drill.id}/reject`).send({})

  const after = await figures()

  expect(after.all).toEqual(before.all)
  expect(after.drills.rejected).toBe(before.drills.rejected + 1)
})

test('each kind of harm is plain, and fits the page', () => {
  const body = `${lampBody}\nSee [the almanac](https://www.almanac.example/tides).\n`.repeat(4)
  const target = { space_id: world.space.id, id: world.lamp.id, version: 1, title: 'The lamp', body }

  const made = [0, 0.4, 0.9].map((number) => makeDrill(target, () => number))

  expect(made.map(({ action }) => action)).toEqual(['delete', 'update', 'update'])
  expect(String(made[1]?.payload.body).length).toBeLessThan(body.length / 2)
  expect(made[2]?.payload.body).toContain('](https://almanac-example.sign-in.invalid/tides)')
  expect(makeDrill({ ...target, body: 'short' }, () => 0.99).action).toBe('delete')
})

/** What a drill must leave as it is. */
async function counts() {
  const { rows } = await deps.database.query(
    `select (select count(*) from audit_log) as audit,
            (select string_agg(id || ':' || version, ',' order by id) from pages) as pages,
            (select count(*) from chunks) as chunks,
            (select count(*) from pending_changes) as drafts`,
  )
  return rows[0]
}

test('a drill is previewed as any other draft is, and nothing comes of it', async () => {
  const drill = await takeDrill()

  const { status, body } = await owner.get(`/api/pending-changes/${drill.id}/preview`)

  expect(status).toBe(200)
  expect(body.entities).toHaveLength(1)
  expect(await read(drill.id)).toMatchObject({ status: 'pending' })
  await owner.post(`/api/pending-changes/${drill.id}/reject`).send({}).expect(200)
})
