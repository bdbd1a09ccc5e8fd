import { describe, expect, test } from 'vitest'
import type { CallModel, ModelRequest } from '../../../lib/ai/model.ts'
import { asksSomething } from '../../../lib/companion/routines/ready/overviews.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'
import { makeReady } from './ready-routine.ts'

const app = await buildApp()
const { owner } = app

describe('without a model', () => {
  test('an answer whose cited passage changed is named once, with what it cited', async () => {
    const space = await makeReady(app, 'stale_answers')
    const id = await space.page('Lamp', 'The lamp of the light turns once in twelve seconds, always.')
    const kept = await space.page('Oil', 'The oil of the lamp is stored below the stairs of the tower.')
    const { body: thread } = await owner.post(`${space.at}/conversations`).send({}).expect(201)
    await cite(thread.id, [
      { kind: 'page', id, title: 'Lamp', cited_text: 'The lamp of the light turns once in twelve seconds' },
      { kind: 'page', id: kept, title: 'Oil', cited_text: 'stored below the stairs of the tower' },
    ])
    const before = await space.run()
    await owner.patch(`/api/pages/${id}`).send({ body: 'It turns once in ten.', version: 1 }).expect(200)
    await owner
      .patch(`/api/pages/${kept}`)
      .send({ body: 'The oil of the lamp is stored below the stairs of the tower. Refilled.', version: 1 })
      .expect(200)
    const after = await space.run()
    const again = await space.run()

    expect([before.status, after.status, again.status]).toEqual(['nothing_to_do', 'done', 'nothing_to_do'])
    expect(after.answer).toContain('Lamp, once “The lamp of the light turns once in twelve seconds”')
    expect(after.answer).not.toContain('Oil')
    expect(after.draft_ids).toEqual([])
  })

  test('an answer is out of date by when its page changed here, however old the file of the change is', async () => {
    const space = await makeReady(app, 'stale_answers')
    const bring = (text: string, modified_at: string) =>
      owner
        .post(`${space.at}/import`)
        .send({
          source: 'notes',
          files: [{ path: 'Lamp.md', base64: Buffer.from(text).toString('base64'), modified_at }],
        })
        .expect(200)
    await bring('The lamp of the light turns once in twelve seconds, always.', '2001-01-01T00:00:00Z')
    const { body: pages } = await owner.get(`${space.at}/pages`).expect(200)
    const { id } = pages.items.find(({ title }: { title: string }) => title === 'Lamp')
    const { body: thread } = await owner.post(`${space.at}/conversations`).send({}).expect(201)
    const cited_text = 'The lamp of the light turns once in twelve seconds'
    await cite(thread.id, [{ kind: 'page', id, title: 'Lamp', cited_text }])
    await bring('It turns once in ten.', '2002-02-02T00:00:00Z')

    expect((await space.run()).answer).toContain(`Lamp, once “${cited_text}”`)
  })

  test('the morning brief names what is due and what changed, and drafts nothing', async () => {
    const space = await makeReady(app, 'morning_brief')
    const empty = await space.run()
    const task = (title: string, due_on?: string) =>
      owner.post(`${space.at}/tasks`).send({ title, due_on }).expect(201)
    await task('Oil the hinge', '2020-01-05')
    await task('Paint the rail', '2999-01-05')
    await task('Call Anna')
    await space.page('Tides of June', 'High at six.')
    const { status, answer, draft_ids } = await space.run()

    expect(empty.status).toBe('nothing_to_do')
    expect([status, draft_ids]).toEqual(['done', []])
    expect(answer).toContain('Oil the hinge')
    expect(answer).toContain('due 2020-01-05')
    expect(answer).toContain('Tides of June')
    expect(answer).not.toMatch(/Paint the rail|Call Anna/)
  })

  test('the weekly review names tasks without a date, projects without a step, and the notes of the week', async () => {
    const space = await makeReady(app, 'weekly_review')
    const project = async (title: string) =>
      (await owner.post(`${space.at}/projects`).send({ title }).expect(201)).body.id
    await project('Boathouse')
    const lamp = await project('New lamp')
    await owner.post(`${space.at}/tasks`).send({ title: 'Order glass', project_id: lamp }).expect(201)
    await owner.post(`${space.at}/tasks`).send({ title: 'Dated', due_on: '2999-01-05' }).expect(201)
    await space.page('Tides of June', 'High at six.')
    const { answer } = await space.run()

    expect(answer).toMatch(/without a date[\s\S]*Order glass/)
    expect(answer).toMatch(/without a next step[\s\S]*Boathouse/)
    expect(answer).toMatch(/Notes of the week[\s\S]*Tides of June/)
    expect(answer).not.toMatch(/New lamp|Dated/)
  })

  test('a line that was deleted from the instruction of Tidy is not looked for', async () => {
    const instruction = 'Tidy, but only these:\n\n- Pages without a title\n'
    const space = await makeReady(app, 'tidy', { instruction })
    await space.page('The lighthouse lamp', 'x')
    await space.page('List', 'See [[The lighthouse lmap]].')
    await space.page('Untitled', '# Tides of June\n\nHigh at six.')
    const { found } = await space.run()

    expect(found.map(({ payload }: { payload: object }) => payload)).toEqual([{ title: 'Tides of June' }])
  })
})

async function cite(conversationId: string, passages: object[]) {
  const citations = passages.map((passage, at) => ({
    ...passage,
    ...{ n: at + 1, checked: true, ordinal: 0, start: 0, end: 5 },
  }))
  const metadata = { tool_trace: [], citations, draft_ids: [], stop_reason: 'end_turn' }
  await app.deps.database.query(
    `insert into messages (id, conversation_id, role, body, metadata)
     values (gen_random_uuid(), $1, 'assistant', 'Once in twelve seconds.', $2)`,
    [conversationId, JSON.stringify(metadata)],
  )
}

test.each([
  ['Could you send the lease?', true],
  ['Thanks. See https://example.com/?q=lease for more.', false],
  ['> Could you send the lease?\n\nDone.', false],
  ['Wann kommst du? Anna', true],
  ['你什么时候来？', true],
  ['', false],
])('%j asks something: %s', (text, asks) => {
  expect(asksSomething(text)).toBe(asks)
})

describe('with a model', () => {
  const requests: ModelRequest[] = []
  let answer: (request: ModelRequest) => Parameters<typeof scriptedModel>[0][number] = () => ({
    text: 'Nothing.',
  })
  const callModel: CallModel = (request) => {
    requests.push(request)
    return scriptedModel([answer(request)])(request)
  }

  test('a brief follows its instruction, reads the overview, and is given no way to draft', async () => {
    const online = await buildApp({ callModel })
    const space = await makeReady(online, 'morning_brief', { instruction: 'Only the tasks, as a haiku.' })
    await online.owner.post(`${space.at}/tasks`).send({ title: 'Oil the hinge', due_on: '2020-01-05' })
    requests.length = 0
    answer = ({ messages }) =>
      messages.some(({ role }) => role === 'assistant')
        ? { text: 'Hinge in the morning.' }
        : { tools: [{ name: 'overview', input: {} }] }
    const { answer: said } = await space.run()

    expect(JSON.stringify(requests[0]!.messages)).toContain('as a haiku')
    expect(requests[0]!.tools.map(({ name }) => name)).toContain('overview')
    expect(requests[0]!.tools.map(({ name }) => name)).not.toContain('propose_change')
    expect(JSON.stringify(requests[1]!.messages)).toContain('Oil the hinge')
    expect(said).toBe('Hinge in the morning.')
  })

  test('without money for a model, the brief is the list', async () => {
    const online = await buildApp({ callModel })
    const space = await makeReady(online, 'morning_brief', { budget_usd: 0 })
    await online.owner.post(`${space.at}/tasks`).send({ title: 'Oil the hinge', due_on: '2020-01-05' })
    requests.length = 0

    expect((await space.run()).answer).toContain('Oil the hinge')
    expect(requests).toEqual([])
  })

  test('what else the instruction of Tidy says has effect: it leaves findings out', async () => {
    const online = await buildApp({ callModel })
    const space = await makeReady(online, 'tidy', {
      instruction: 'Tidy up, but leave the page Drafts alone.',
    })
    await space.page('The lighthouse lamp', 'x')
    await space.page('Drafts', 'See [[The lighthouse lmap]].')
    await space.page('Untitled', '# Tides of June\n\nHigh at six.')
    requests.length = 0
    answer = () => ({ text: '{"keep": ["2"]}' })
    const { found } = await space.run()

    expect(JSON.stringify(requests[0]!.messages)).toContain('leave the page Drafts alone')
    expect(requests[0]!.tools).toEqual([])
    expect(found.map(({ payload }: { payload: object }) => payload)).toEqual([{ title: 'Tides of June' }])
  })

  test('as it came, Tidy asks no model', async () => {
    const online = await buildApp({ callModel })
    const space = await makeReady(online, 'tidy')
    await space.page('Untitled', '# Tides of June\n\nHigh at six.')
    requests.length = 0

    expect((await space.run()).found).toHaveLength(1)
    expect(requests).toEqual([])
  })
})
