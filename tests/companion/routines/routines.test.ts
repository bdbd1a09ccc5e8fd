import { beforeAll, describe, expect, test } from 'vitest'
import type { CallModel, ModelRequest } from '../../../lib/ai/model.ts'
import { buildApp, type TestApp } from '../../helpers/build-app.ts'
import { type ScriptedStep, scriptedModel } from '../../helpers/scripted-model.ts'
import { makeWorld, type World } from '../../helpers/world.ts'

/** What the model does, by the words of the instruction. */
let script: (request: ModelRequest) => ScriptedStep = () => ({ text: 'Nothing.' })
const requests: ModelRequest[] = []
const callModel: CallModel = (request) => {
  requests.push(request)
  return scriptedModel([script])(request)
}

let app: TestApp
let world: World
let now = new Date('2026-11-27T12:00:00Z')
beforeAll(async () => {
  app = await buildApp({ callModel, now: () => now })
  world = await makeWorld(app)
})
const daily = { schedule: 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0', time_zone: 'Europe/Berlin' }
const at = () => `/api/spaces/${world.space.id}/routines`
const isFirst = ({ messages }: ModelRequest) =>
  messages.filter(({ role }) => role === 'assistant').length === 0

async function create(given: Record<string, unknown> = {}) {
  const { status, body } = await app.owner
    .post(at())
    .send({ name: 'Look round', instruction: 'Look round.', when: daily, ...given })
  expect([status, body.error]).toEqual([201, undefined])
  return body
}

/** Runs it now, and its last run once that has ended. */
async function run(id: string, body: Record<string, unknown> = {}) {
  const started = await app.owner.post(`/api/routines/${id}/run`).send(body)
  expect([started.status, started.body.error]).toEqual([202, undefined])
  for (;;) {
    const { body: listed } = await app.owner.get(`/api/routines/${id}/runs`)
    const last = listed.items.find(({ turn_id }: { turn_id: string }) => turn_id === started.body.turn_id)
    if (last && last.status !== 'running') return { ...last, conversation_id: started.body.conversation_id }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const messagesOf = async (conversationId: string) =>
  (await app.owner.get(`/api/conversations/${conversationId}/messages`)).body.items

const propose = (input: Record<string, unknown>) => ({ name: 'propose_change', input })
const newTask = (title: string, body = '') =>
  propose({ entity_type: 'task', action: 'create', payload: { title, body }, reason: 'Because.' })

describe('making one', () => {
  test('it is shown with its next time, what a month will cost, and its week', async () => {
    const made = await create({
      when: { schedule: 'FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0', time_zone: 'Europe/Berlin' },
      budget_usd: 0.2,
    })

    expect(made).toMatchObject({
      when: { schedule: 'FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0', time_zone: 'Europe/Berlin' },
      next_due_at: '2026-11-27T16:00:00.000Z',
      enabled: true,
      agent_id: null,
      week: 'Has not run in the last 7 days',
    })
    expect(made.expected_monthly_usd).toBeCloseTo(1)
    const { body: listed } = await app.owner.get(at())
    expect(listed.items[0]).toEqual(made)
  })

  test('off, it is never due; on again, from then on', async () => {
    const { id } = await create()
    const off = await app.owner.patch(`/api/routines/${id}`).send({ enabled: false })
    const renamed = await app.owner.patch(`/api/routines/${id}`).send({ name: 'Another name' })
    const on = await app.owner.patch(`/api/routines/${id}`).send({ enabled: true })

    expect(off.body).toMatchObject({ enabled: false, next_due_at: null })
    expect(renamed.body).toMatchObject({ name: 'Another name', next_due_at: null })
    expect(on.body.next_due_at).toBe('2026-11-28T08:00:00.000Z')
    expect((await app.owner.delete(`/api/routines/${id}`)).status).toBe(204)
    expect((await app.owner.get(`/api/routines/${id}/runs`)).status).toBe(404)
    expect((await app.owner.patch(`/api/routines/${id}`).send({ name: 'x' })).status).toBe(404)
  })

  test.each([
    ['each second', { when: { schedule: 'FREQ=SECONDLY;BYHOUR=9;BYMINUTE=0' } }],
    ['each minute', { when: { schedule: 'FREQ=MINUTELY' } }],
    ['many times a day', { when: { schedule: 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0,1,2,3,4,5' } }],
    ['never', { when: { schedule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30,31;BYHOUR=9;BYMINUTE=0' } }],
    ['in the past', { when: { schedule: 'FREQ=DAILY;UNTIL=20200101;BYHOUR=9;BYMINUTE=0' } }],
    ['at no time of day', { when: { schedule: 'FREQ=DAILY' } }],
    ['by no rule', { when: { schedule: 'every Friday' } }],
    ['in no time zone', { when: { schedule: daily.schedule, time_zone: 'Mars/Olympus' } }],
    ['in its quiet hours', { when: daily, quiet_hours: { from: '22:00', until: '10:00' } }],
    ['after nothing known', { when: { event: 'full_moon' } }],
    ['by both', { when: { ...daily, event: 'mail' } }],
    ['for less than nothing', { budget_usd: -1 }],
    ['without an instruction', { instruction: '  \n ' }],
    ['without a name', { name: ' ' }],
  ])('that would run %s is refused', async (_, given) => {
    const { status, body } = await app.owner
      .post(at())
      .send({ name: 'Look', instruction: 'Look round.', when: daily, ...given })

    expect([status, body.error?.code]).toEqual([400, 'invalid'])
  })

  test('with a companion that is not there is refused', async () => {
    const agent_id = '00000000-0000-7000-8000-00000000dead'
    const { status } = await app.owner
      .post(at())
      .send({ name: 'Look', instruction: 'Look.', when: daily, agent_id })

    expect(status).toBe(404)
  })
})

describe('a run', () => {
  test('has a closed list of tools, and says that nobody is there', async () => {
    script = () => ({ text: 'All is well.' })
    const { id } = await create()
    const done = await run(id)

    const request = requests.at(-1)!
    expect(request.tools.map(({ name }) => name).sort()).toEqual([
      'list',
      'nothing_to_do',
      'propose_change',
      'read',
      'search',
    ])
    expect(request.system).toContain('nobody is there to answer')
    expect(done).toMatchObject({ status: 'done', started_by: 'owner', draft_ids: [], problem: null })
    const said = await messagesOf(done.conversation_id)
    expect(said.map(({ role, body }: { role: string; body: string }) => [role, body])).toEqual([
      ['user', 'Look round.'],
      ['assistant', 'All is well.'],
    ])
    const { body: routines } = await app.owner.get(at())
    expect(routines.items.find((one: { id: string }) => one.id === id).week).toBe(
      'Ran once in the last 7 days',
    )
  })

  test('begins anew: it is not given what its thread says', async () => {
    script = () => ({ text: 'A secret of the first run.' })
    const { id } = await create()
    await run(id)
    now = new Date(now.getTime() + 1000)
    await run(id)

    expect(JSON.stringify(requests.at(-1)!.messages)).not.toContain('A secret of the first run.')
  })

  test('that has nothing to do is silent: one call of the model, and no trace but its row', async () => {
    script = () => ({ text: 'Let me see.', tools: [{ name: 'nothing_to_do', input: {} }] })
    const { id } = await create()
    const before = requests.length
    const done = await run(id)

    expect(done).toMatchObject({ status: 'nothing_to_do', problem: null })
    expect(requests.length).toBe(before + 1)
    expect(await messagesOf(done.conversation_id)).toEqual([])
  })

  test('leaves drafts as one changeset; in a dry run it leaves none', async () => {
    script = (request) =>
      isFirst(request)
        ? { tools: [newTask('Oil the hinges'), newTask('Count the oil')] }
        : { text: 'Two drafts.' }
    const { id } = await create()
    const dry = await run(id, { dry_run: true })
    now = new Date(now.getTime() + 1000)
    const done = await run(id)

    expect(dry).toMatchObject({ status: 'done', dry_run: true, draft_ids: [] })
    expect(done.draft_ids.length).toBe(2)
    const { body: changeset } = await app.owner.get(`/api/changesets/${done.turn_id}`)
    expect(changeset.items.length).toBe(2)
    expect(changeset.routine).toEqual({ id, name: 'Look round' })
    const { body: inbox } = await app.owner.get('/api/inbox/lines')
    const lines = inbox.items.filter((line: { changeset_id: string }) => line.changeset_id === done.turn_id)
    expect(lines.map(({ routine }: { routine: unknown }) => routine)).toEqual([
      { id, name: 'Look round' },
      { id, name: 'Look round' },
    ])
  })

  test('drafts nothing that waits already, and nothing that was rejected in other words', async () => {
    script = (request) =>
      isFirst(request) ? { tools: [newTask('Trim the wick', 'Soon.')] } : { text: 'Done.' }
    const { id } = await create()
    const first = await run(id)
    now = new Date(now.getTime() + 1000)
    const second = await run(id)
    const [draft] = first.draft_ids
    await app.owner.post(`/api/pending-changes/${draft}/reject`).send({ reason: 'No.' })
    script = (request) =>
      isFirst(request) ? { tools: [newTask('trim  the Wick!', 'Other words.')] } : { text: 'Done.' }
    now = new Date(now.getTime() + 1000)
    const third = await run(id)

    expect(first.draft_ids.length).toBe(1)
    expect(second.draft_ids).toEqual([])
    expect(third.draft_ids).toEqual([])
    const told = requests.at(-2)!
    expect(JSON.stringify(told.system)).toContain('rejected')
  })

  test('rejects an edit like a rejected one though the page says other things by now', async () => {
    const edit = (old_text: string, new_text: string) =>
      propose({
        entity_type: 'page',
        action: 'update',
        entity_id: world.lease.id,
        edits: [{ old_text, new_text }],
      })
    script = (request) =>
      isFirst(request) ? { tools: [edit('410 crowns', '420 crowns')] } : { text: 'Done.' }
    const { id } = await create()
    const first = await run(id)
    await app.owner.post(`/api/pending-changes/${first.draft_ids[0]}/reject`).send({})
    const { body: page } = await app.owner.get(`/api/pages/${world.lease.id}`)
    await app.owner
      .patch(`/api/pages/${world.lease.id}`)
      .send({ version: page.version, body: `${page.body}\nThe roof is new.\n` })
    now = new Date(now.getTime() + 1000)
    const second = await run(id)
    script = (request) =>
      isFirst(request) ? { tools: [edit('410 crowns', '430 crowns')] } : { text: 'Done.' }
    now = new Date(now.getTime() + 1000)
    const third = await run(id)

    expect([first, second, third].map(({ draft_ids }) => draft_ids.length)).toEqual([1, 0, 1])
  })

  test('drafts at most twenty things', async () => {
    script = (request) => {
      const done = request.messages.filter(({ role }) => role === 'assistant').length
      const from = done * 12
      return done < 2
        ? { tools: Array.from({ length: 12 }, (_, n) => newTask(`Lamp ${from + n}`)) }
        : { text: 'Enough.' }
    }
    const { id } = await create()
    const done = await run(id)

    expect(done.draft_ids.length).toBe(20)
  })

  test('is stopped by a budget of nothing before a model is called', async () => {
    const { id } = await create({ budget_usd: 0 })
    const before = requests.length
    const done = await run(id)

    expect(done).toMatchObject({ status: 'failed' })
    expect(done.problem).toContain('budget')
    expect(requests.length).toBe(before)
  })

  test('does not become the thread in use', async () => {
    script = () => ({ text: 'Quietly.' })
    const { id } = await create()
    const done = await run(id)
    const { body: state } = await app.owner.get(`/api/spaces/${world.space.id}/companion`)

    expect(state.conversation_id).not.toBe(done.conversation_id)
  })

  test('a message cannot say that it is one', async () => {
    const { status } = await app.owner.post(`/api/spaces/${world.space.id}/companion/turn`).send({
      text: 'Hello',
      routine: { run_id: world.space.id, routine_id: world.space.id, name: 'x', dry: false },
    })

    expect(status).toBe(400)
  })

  test('whose drafts were all rejected three times of five switches it off', async () => {
    // The clock moves by days here, which would have those of the tests before it due.
    const { body: others } = await app.owner.get(at())
    for (const other of others.items) await app.owner.delete(`/api/routines/${other.id}`)
    let round = 0
    script = (request) => (isFirst(request) ? { tools: [newTask(`Odd job ${round}`)] } : { text: 'A draft.' })
    const { id } = await create({ when: { event: 'import' } })
    for (round = 1; round <= 3; round += 1) {
      now = new Date(now.getTime() + 86_400_000)
      const { draft_ids } = await run(id)
      await app.owner.post(`/api/pending-changes/${draft_ids[0]}/reject`).send({})
    }
    await expect
      .poll(async () => (await app.owner.get(at())).body.items.find((one: { id: string }) => one.id === id))
      .toMatchObject({ enabled: false, next_due_at: null })
    const { body } = await app.owner.get(at())
    const row = body.items.find((one: { id: string }) => one.id === id)
    expect(row.paused_reason).toContain('rejected')
  })
})
