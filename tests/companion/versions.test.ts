// Messages edited and asked again: which version is shown, what the model reads of it, and that nothing is lost.

import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CallModel, ModelRequest } from '../../lib/ai/model.ts'
import { createRunningSummariesRepo } from '../../lib/db/repos/messages.ts'
import { indexConversations } from '../../lib/search/reindex.ts'
import { buildApp } from '../helpers/build-app.ts'
import { listen } from '../helpers/listen.ts'
import { type ScriptedStep, scriptedModel } from '../helpers/scripted-model.ts'
import { ofType, postTurn, readFrames, takeTurn } from '../helpers/turn-client.ts'

type Said = { turn_id: string; role: 'user' | 'assistant'; body: string; versions?: string[] | null }

let requests: ModelRequest[]
let steps: ScriptedStep[]
const callModel: CallModel = async (request) => {
  requests.push({ ...request, messages: structuredClone(request.messages) })
  return scriptedModel([steps.shift() ?? { text: `Answer ${requests.length}.` }])(request)
}
const { app, owner, deps } = await buildApp({ callModel, namingQuietMs: 3_600_000 })
const url = await listen(app)
let space_id: string
let thread: string

beforeEach(async () => {
  requests = []
  steps = []
  space_id = (await owner.post('/api/spaces').send({ name: 'Log room' })).body.id
  thread = await newThread()
})

const newThread = async (): Promise<string> =>
  (await owner.post(`/api/spaces/${space_id}/conversations`)).body.id
const ask = (text: string, more: object = {}) =>
  takeTurn({ url, space_id, body: { text, conversation_id: thread, ...more } })
const turnOf = (frames: Awaited<ReturnType<typeof ask>>) => ofType(frames, 'turn')[0]!.data.turn_id
const say = async (text: string, more: object = {}) => turnOf(await ask(text, more))
const show = (id: string) => owner.post(`/api/turns/${id}/show`)
const messages = async (): Promise<Said[]> =>
  (await owner.get(`/api/conversations/${thread}/messages?limit=200`)).body.items
const asked = async () => (await messages()).filter(({ role }) => role === 'user').map(({ body }) => body)
const given = () => JSON.stringify(requests.at(-1)!.messages)
const refused = async (more: object, text = 'Again?') => {
  const response = await postTurn({ url, space_id, body: { text, conversation_id: thread, ...more } })
  const { error } = JSON.parse(await response.text())
  return [response.status, error.code]
}

describe('a message that is edited', () => {
  test('takes the place of the old one and of all that followed it, for the reader and the model', async () => {
    await say('How far does the lamp reach?')
    const old = await say('And the old lamp?')
    await say('Which oil did it burn?')

    const edited = await say('And the bell?', { replaces: old })
    const next = await say('Who rings it?')

    expect(await asked()).toEqual(['How far does the lamp reach?', 'And the bell?', 'Who rings it?'])
    expect(given()).toContain('How far does the lamp reach?')
    expect(given()).toContain('And the bell?')
    expect(given()).not.toContain('old lamp')
    expect(given()).not.toContain('Which oil')
    const versions = (await messages()).filter(({ role }) => role === 'user').map((one) => one.versions)
    expect(versions).toEqual([null, [old, edited], null])
    expect((await owner.get(`/api/turns/${next}`)).body.status).toBe('done')
  })

  test('comes back with its answer and what followed it, word for word', async () => {
    const old = await say('And the old lamp?')
    await say('Which oil did it burn?')
    const before = await messages()
    const edited = await say('And the bell?', { replaces: old })
    const instead = await messages()

    await show(old).expect(200)
    const back = await messages()
    await show(edited).expect(200)

    const bare = (all: Said[]) => all.map(({ versions, ...rest }) => rest)
    expect(bare(back)).toEqual(bare(before))
    expect(back[0]!.versions).toEqual([old, edited])
    expect(await messages()).toEqual(instead)
  })

  test('is the path that the next message goes on from, and a message behind it stays behind it', async () => {
    const first = await say('One')
    const second = await say('Two', { replaces: first })
    await show(first).expect(200)

    await say('Behind one')
    expect(given()).toContain('One')
    expect(given()).not.toContain('Two')
    await show(second).expect(200)

    expect(await asked()).toEqual(['Two'])
    await show(first).expect(200)
    expect(await asked()).toEqual(['One', 'Behind one'])
  })

  test('has versions within versions', async () => {
    const a = await say('A')
    const b = await say('B')
    const b2 = await say('B2', { replaces: b })
    await say('C')
    const a2 = await say('A2', { replaces: a })
    expect(await asked()).toEqual(['A2'])
    expect([(await show(b)).status, (await show(b)).body.error.code]).toEqual([409, 'not_shown'])

    await show(a).expect(200)
    expect(await asked()).toEqual(['A', 'B2', 'C'])
    await show(b).expect(200)
    expect(await asked()).toEqual(['A', 'B'])
    await show(a2).expect(200)
    await show(a).expect(200)

    expect(await asked()).toEqual(['A', 'B'])
    await show(b2).expect(200)
    expect(await asked()).toEqual(['A', 'B2', 'C'])
  })

  test('is asked with what was in view the first time', async () => {
    const { body: page } = await owner.post(`/api/spaces/${space_id}/pages`).send({ title: 'The lamp' })
    const { body: other } = await owner.post(`/api/spaces/${space_id}/pages`).send({ title: 'The boat' })
    const old = await say('What is this?', { view: { entityType: 'page', entityId: page.id } })

    await say('What is this now?', { replaces: old, view: { entityType: 'page', entityId: other.id } })

    expect(requests.at(-1)!.system).toContain('The owner is looking at the page “The lamp”')
  })
})

describe('an answer that is asked for again', () => {
  test('is kept beside the new one, and the model sees neither', async () => {
    steps = [{ text: 'It burns whale oil.' }, { text: 'It burns rapeseed oil.' }]
    const old = await say('What does it burn?')

    const again = await say('What does it burn?', { replaces: old })

    expect(given()).not.toContain('whale')
    expect((await messages()).map(({ body }) => body)).toEqual([
      'What does it burn?',
      'It burns rapeseed oil.',
    ])
    await show(old).expect(200)
    expect((await messages()).map(({ body }) => body)).toEqual(['What does it burn?', 'It burns whale oil.'])
    await show(again).expect(200)
    await say('Why?')
    expect(given()).toContain('rapeseed')
    expect(given()).not.toContain('whale')
  })

  test('that fails leaves the old one to be shown', async () => {
    const old = await say('What does it burn?')
    steps = [{ error: new Error('The model is down') }]

    await say('What does it burn?', { replaces: old })
    await show(old).expect(200)
    await say('Why?')

    expect((await messages()).map(({ body }) => body)).toEqual([
      'What does it burn?',
      'Answer 1.',
      'Why?',
      'Answer 3.',
    ])
  })

  test('keeps the drafts of the old one waiting, and the decision on them reaches whoever is shown', async () => {
    const draft = {
      name: 'propose_change',
      input: { entity_type: 'task', action: 'create', payload: { title: 'Fill the tank' }, reason: 'Asked.' },
    }
    steps = [{ tools: [draft] }, { text: 'Drafted.' }]
    await say('Hello')
    const old = await say('Draft a task')
    const waiting = async () => (await owner.get(`/api/pending-changes?space_id=${space_id}`)).body.items
    const [{ id }] = await waiting()
    await owner.post(`/api/pending-changes/${id}/reject`).send({ reason: 'Not in winter.' }).expect(200)
    await say('And now?')
    expect(given()).toContain('Not in winter.')

    await say('Draft nothing', { replaces: old })

    expect(given()).toContain('Not in winter.')
    expect((await waiting())[0]).toMatchObject({ id, status: 'rejected' })
  })
})

describe('is refused', () => {
  test('for a turn that is not there, in another thread or Space, or without a thread', async () => {
    const nobody = '01900000-0000-7000-8000-000000000000'
    const here = await say('One')
    const elsewhere = await newThread()

    expect(await refused({ replaces: nobody })).toEqual([404, 'not_found'])
    expect(await refused({ replaces: here, conversation_id: elsewhere })).toEqual([404, 'not_found'])
    expect(await refused({ replaces: here, conversation_id: undefined })).toEqual([400, 'invalid'])
    const { body: other } = await owner.post('/api/spaces').send({ name: 'Harbour Office' })
    const response = await postTurn({
      ...{ url, space_id: other.id },
      body: { text: 'Again?', conversation_id: thread, replaces: here },
    })
    expect(response.status).toBe(404)
    expect(await asked()).toEqual(['One'])
  })

  test('for a version that is not shown, and nothing of it stays', async () => {
    const old = await say('One')
    await say('Two', { replaces: old })

    expect(await refused({ replaces: old })).toEqual([409, 'not_shown'])

    expect(await asked()).toEqual(['Two'])
    expect((await owner.get(`/api/spaces/${space_id}/companion`)).body.running_turn_id).toBeNull()
  })

  test('while an answer is being written or a message waits, queued or not', async () => {
    const old = await say('One')
    steps = [{ text: 'Let me', hang: true }]
    const running = await postTurn({ url, space_id, body: { text: 'Two', conversation_id: thread } })
    const frames = readFrames(running)
    const { value: first } = await frames.next()

    expect(await refused({ replaces: old })).toEqual([409, 'turn_running'])
    expect(await refused({ replaces: old, queue: true })).toEqual([409, 'turn_running'])
    expect([(await show(old)).status, await asked()]).toEqual([200, ['One', 'Two']])
    await owner.post(`/api/turns/${first.data.turn_id}/stop`)
    await Array.fromAsync(frames)
    const edited = await say('Three', { replaces: old })
    steps = [{ text: 'Let me', hang: true }]
    const again = readFrames(await postTurn({ url, space_id, body: { text: '4', conversation_id: thread } }))
    const { value: next } = await again.next()
    expect((await show(old)).body.error.code).toBe('turn_running')
    await owner.post(`/api/turns/${next.data.turn_id}/stop`)
    await Array.fromAsync(again)
    await show(old).expect(200)
    await show(edited).expect(200)
  })

  test('where research is in it', async () => {
    const old = await say('One')
    const research = JSON.stringify({ research: { depth: 'quick', rerun_of: null } })
    await deps.database.query("update messages set metadata = $2 where turn_id = $1 and role = 'user'", [
      old,
      research,
    ])

    expect(await refused({ replaces: old })).toEqual([409, 'on_research'])
    expect(await refused({ replaces: await say('Two') }, '/research quick Three?')).toEqual([
      409,
      'on_research',
    ])
  })

  test('beyond fifty versions', async () => {
    const first = await say('One')
    const last = await say('Two', { replaces: first })
    await deps.database.query(
      `insert into turns (id, space_id, conversation_id, agent_id, status, body_hash, finished_at, version_of, aside_with)
       select gen_random_uuid(), space_id, conversation_id, agent_id, 'done', body_hash, now(), $1, $1
       from turns, generate_series(3, 50)
       where id = $1`,
      [first],
    )

    expect(await refused({ replaces: last })).toEqual([409, 'too_many_versions'])
    expect(await asked()).toEqual(['Two'])
  })

  test('showing what nobody knows, or what is in the trash', async () => {
    const old = await say('One')
    await say('Two', { replaces: old })
    await owner.delete(`/api/spaces/${space_id}/conversations/${thread}`)

    expect((await show(old)).status).toBe(404)
    expect((await show('01900000-0000-7000-8000-000000000000')).status).toBe(404)
    await owner.post(`/api/spaces/${space_id}/conversations/${thread}/restore`)
    expect((await show(old)).status).toBe(200)
  })
})

test('the same request under one key is one version; another message under it is refused', async () => {
  const old = await say('One')
  const headers = { 'idempotency-key': 'edit-1' }
  const body = { text: 'Two', conversation_id: thread, replaces: old }

  const first = await takeTurn({ url, space_id, body, headers })
  const second = await takeTurn({ url, space_id, body, headers })
  const other = await postTurn({ url, space_id, body: { ...body, replaces: turnOf(first) }, headers })

  expect(turnOf(second)).toBe(turnOf(first))
  expect(other.status).toBe(422)
  await other.body?.cancel()
  expect((await messages())[0]!.versions).toEqual([old, turnOf(first)])
})

test('of ten edits at once each is a version or refused, and one path is shown', async () => {
  const old = await say('One')

  const answers = await Promise.all(
    Array.from({ length: 10 }, async (_, n) => {
      const body = { text: `Edit ${n}`, conversation_id: thread, replaces: old }
      const response = await postTurn({ url, space_id, body })
      const text = await response.text()
      return response.status === 200 ? 200 : JSON.parse(text).error.code
    }),
  )

  const won = answers.filter((status) => status === 200).length
  expect(won).toBe(1)
  expect(new Set(answers.filter((status) => status !== 200))).not.toContain('internal')
  expect((await messages()).length).toBe(2)
  expect((await messages())[0]!.versions).toHaveLength(2)
})

test('what a long thread came to is forgotten where a part of it is put aside', async () => {
  await say('Zero')
  const old = await say('One')
  const summaries = createRunningSummariesRepo(deps.database)
  const lastId = async () => (await owner.get(`/api/conversations/${thread}/messages`)).body.items.at(-1).id
  const until = await lastId()
  expect(await summaries.advance(thread, null, { summary: 'One was said.', until })).toBe(true)

  await say('Two', { replaces: old })

  expect(await summaries.find(thread)).toMatchObject({ summary: '', until: null })
  expect(await summaries.advance(thread, null, { summary: 'One was said.', until })).toBe(false)
  expect(await summaries.advance(thread, null, { summary: 'Two was said.', until: await lastId() })).toBe(
    true,
  )
  await show(old).expect(200)
  expect(await summaries.find(thread)).toMatchObject({ summary: '', until: null })
})

test('a summary of what came before the place stays', async () => {
  await say('Zero')
  const until = (await owner.get(`/api/conversations/${thread}/messages`)).body.items.at(-1).id
  const old = await say('One')
  const summaries = createRunningSummariesRepo(deps.database)
  await summaries.advance(thread, null, { summary: 'Zero was said.', until })

  await say('Two', { replaces: old })

  expect(await summaries.find(thread)).toMatchObject({ summary: 'Zero was said.', until })
})

test('search, the export of the thread and what the companion reads of it follow the path that is shown', async () => {
  steps = [{ text: 'Walruses.' }, { text: 'Narwhals.' }]
  const old = await say('Who lives on the skerry?')
  const edited = await say('Who swims by the skerry?', { replaces: old })
  const index = () => indexConversations(deps, { quiet_since: new Date(Date.now() + 60_000), limit: 100 })
  const found = async (q: string) => {
    const query = { space_id, q, kinds: 'conversation' }
    return (await owner.get('/api/search').query(query)).body.items.length > 0
  }
  const exported = async () =>
    (await owner.get(`/api/spaces/${space_id}/conversations/${thread}/export.md`).responseType('blob')).body
  await index()
  expect([await found('walruses'), await found('narwhals')]).toEqual([false, true])
  expect(String(await exported())).not.toContain('Walruses')

  await show(old).expect(200)
  await index()

  expect([await found('walruses'), await found('narwhals')]).toEqual([true, false])
  expect(String(await exported())).toContain('Walruses')
  const all = String((await owner.get(`/api/spaces/${space_id}/export`).responseType('blob')).body)
  const lines = all.trimEnd().split('\n')
  const said = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'message')
  expect(said.map(({ turn_id, put_aside }) => [turn_id, put_aside])).toEqual([
    ...[
      [old, false],
      [old, false],
    ],
    ...[
      [edited, true],
      [edited, true],
    ],
  ])
})

test('any edits and goings back leave one path, which is the one that was chosen', async () => {
  const step = fc.record({ do: fc.constantFrom('say', 'replace', 'show'), at: fc.nat(20) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (plan) => {
      thread = await newThread()
      await follow(plan)
    }),
    { numRuns: 12 },
  )
}, 120_000)

/** A place in the thread: its versions, each with what follows it. */
type Place = { versions: { id: string; text: string; next: Place | null }[]; shown: number }

async function follow(plan: { do: string; at: number }[]): Promise<void> {
  let root: Place | null = null
  const path = () => {
    const places: Place[] = []
    for (let at = root; at; at = at.versions[at.shown]!.next) places.push(at)
    return places
  }
  for (const [n, { do: what, at }] of plan.entries()) {
    const places = path()
    const text = `Message ${n}`
    const place = places[at % Math.max(1, places.length)]
    if (what === 'say' || !place) {
      const next = { versions: [{ id: await say(text), text, next: null }], shown: 0 }
      const end = places.at(-1)
      if (end) end.versions[end.shown]!.next = next
      else root = next
    } else if (what === 'replace') {
      const id = await say(text, { replaces: place.versions[place.shown]!.id })
      place.shown = place.versions.push({ id, text, next: null }) - 1
    } else {
      place.shown = at % place.versions.length
      await show(place.versions[place.shown]!.id).expect(200)
    }
    const now = path().map(({ versions, shown }) => versions[shown]!.text)
    expect(await asked()).toEqual(now)
    const known = (await messages()).filter(({ role }) => role === 'user').map(({ versions }) => versions)
    const wanted = path().map(({ versions }) => (versions.length > 1 ? versions.map(({ id }) => id) : null))
    expect(known).toEqual(wanted)
  }
}
