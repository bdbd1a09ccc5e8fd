// What is shown of many drafts, messages or tasks takes as many statements as what is shown of few.

import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { noUsage } from '../../lib/ai/model.ts'
import { plainTextAnswer } from '../../lib/companion/plain-text-answer.ts'
import { loadUndeliveredOutcomes } from '../../lib/companion/turn/prepare-turn.ts'
import type { PendingChange } from '../../lib/contract/changes/pending-change.ts'
import { kinds } from '../../lib/contract/entities/kinds.ts'
import { createMessagesRepo } from '../../lib/db/repos/messages.ts'
import { createTurnsRepo, type TurnRow } from '../../lib/db/repos/turns.ts'
import { announceUndos } from '../../lib/space/live/live.ts'
import { buildApp } from '../helpers/build-app.ts'
import { beginTurn, companion, type Propose } from '../helpers/one-turn.ts'
import { createShakyDatabase } from '../helpers/shaky-database.ts'
import { testDb } from '../helpers/test-db.ts'

const shaky = createShakyDatabase(await testDb())
const void_ = await buildApp({ database: shaky.database })
const { owner, deps } = void_

type Filled = {
  space_id: string
  conversation_id: string
  changeset_id: string
  turn: TurnRow
  draft_ids: string[]
}

type Row = (filled: {
  space_id: string
  project_id: string
  propose: Propose
  n: number
}) => Promise<PendingChange[]>

const post = async (path: string, body: object = {}) => {
  const answer = await owner.post(path).send(body)
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** A draft that waits and is out of date: its card says what changed since, and names a project. */
const staleDraft: Row = async ({ space_id, project_id, propose, n }) => {
  const task = await post(`/api/spaces/${space_id}/tasks`, { title: `Task ${n}` })
  const draft = await propose({
    entity_type: 'task',
    action: 'update',
    entity_id: task.id,
    payload: { status: 'done', project_id },
  })
  await owner.patch(`/api/tasks/${task.id}`).send({ version: task.version, priority: 'high' })
  return [draft]
}

const deletion: Row = async ({ space_id, propose, n }) => {
  const page = await post(`/api/spaces/${space_id}/pages`, { title: `Page ${n}` })
  await post(`/api/spaces/${space_id}/pages`, { title: `Below ${n}`, parent_id: page.id })
  await post(`/api/spaces/${space_id}/pages`, { title: `Links ${n}`, body: `See [[Page ${n}]].` })
  return [await propose({ entity_type: 'page', action: 'delete', entity_id: page.id })]
}

const creationBelowAnother: Row = async ({ propose, n }) => {
  const parent = await propose({ entity_type: 'page', action: 'create', payload: { title: `Parent ${n}` } })
  const payload = { title: `Child ${n}`, body: '> The lamp turns.', parent_id: parent.entity_id }
  return [parent, await propose({ entity_type: 'page', action: 'create', payload })]
}

const undone: Row = async ({ space_id, propose, n }) => {
  const page = await post(`/api/spaces/${space_id}/pages`, { title: `Undone ${n}` })
  const payload = { title: `Renamed ${n}`, body: 'Some words.' }
  const draft = await propose({ entity_type: 'page', action: 'update', entity_id: page.id, payload })
  await post(`/api/pending-changes/${draft.id}/approve`, { fields: ['title'] })
  await post(`/api/pending-changes/${draft.id}/undo`)
  return [draft]
}

const rejected: Row = async ({ propose, n }) => {
  const draft = await propose({ entity_type: 'project', action: 'create', payload: { title: `Not ${n}` } })
  await post(`/api/pending-changes/${draft.id}/reject`, { reason: 'No.' })
  return [draft]
}

const oneOfEach = [staleDraft, deletion, creationBelowAnother, undone, rejected]

/** A Space with a conversation in which each message made drafts. */
async function fill(rows: readonly Row[]): Promise<Filled> {
  const { id: space_id } = await post('/api/spaces', { name: 'Skerry Light' })
  const { id: project_id } = await post(`/api/spaces/${space_id}/projects`, { title: 'Summer repairs' })
  const propose = await beginTurn(void_, space_id)
  const made: PendingChange[] = []
  for (const [n, row] of rows.entries()) made.push(...(await row({ space_id, project_id, propose, n })))

  const { conversation_id, changeset_id } = made[0]!
  for (const { id } of made) {
    await createMessagesRepo(deps.database).insert({
      id: uuid(),
      conversation_id: conversation_id!,
      turn_id: null,
      role: 'assistant',
      body: 'Drafted.',
      agent_id: companion.agent_id,
      metadata: {
        tool_trace: [],
        draft_ids: [id],
        usage: noUsage,
        citations: [],
        stop_reason: 'end_turn',
        model: null,
        error: null,
      },
    })
  }
  const turn = await createTurnsRepo(deps.database).find(made[0]!.turn_id!)
  const draft_ids = made.map(({ id }) => id)
  return { space_id, conversation_id: conversation_id!, changeset_id, turn: turn!, draft_ids }
}

const endpoints: Record<string, (filled: Filled) => string> = {
  'the companion’s conversation': ({ space_id }) => `/api/spaces/${space_id}/companion?limit=200`,
  'the messages of a conversation': ({ conversation_id }) =>
    `/api/conversations/${conversation_id}/messages?limit=200`,
  'the home of a Space': ({ space_id }) => `/api/spaces/${space_id}/overview`,
  'the drafts of a Space': ({ space_id }) => `/api/pending-changes?space_id=${space_id}&limit=200`,
  'a changeset': ({ changeset_id }) => `/api/changesets/${changeset_id}`,
  'the Inbox': ({ space_id }) => `/api/inbox/lines?space_id=${space_id}&limit=200`,
  'what was decided': ({ space_id }) => `/api/inbox/lines?space_id=${space_id}&tab=decided&limit=200`,
  'how many wait': () => '/api/inbox',
}

const alike = { few: await fill([staleDraft]), many: await fill(Array(50).fill(staleDraft)) }
const fewMixed = await fill(oneOfEach)
const attentionToFew = await shaky.statementsOf(() => owner.get('/api/attention'))
const mixed = { few: fewMixed, many: await fill(Array(7).fill(oneOfEach).flat()) }

test.each(Object.entries(endpoints))(
  '%s takes as many statements for fifty rows as for one',
  async (_, pathOf) => {
    await expectAsMany(pathOf, alike)
  },
)

test.each(Object.entries(endpoints))('%s takes as many for drafts of every sort', async (_, pathOf) => {
  await expectAsMany(pathOf, mixed)
})

test('how the owner decides takes as many statements for many decisions as for few', async () => {
  const attentionToMany = await shaky.statementsOf(() => owner.get('/api/attention'))

  expect((await owner.get('/api/attention')).body.all.decisions).toBeGreaterThan(12)
  expect(attentionToMany).toEqual(attentionToFew)
})

test('outcomes of many drafts are delivered with as many statements as those of few', async () => {
  const statementsFor = async ({ conversation_id, turn }: Filled) => {
    const delivered: unknown[] = []
    const statements = await shaky.statementsOf(async () => {
      const lines = await loadUndeliveredOutcomes(
        { database: shaky.database, kinds, threads: deps.threads },
        { id: turn.id, conversation_id, agent_id: turn.agent_id },
        { again: false },
      )
      delivered.push(...lines)
    })
    return { statements, delivered }
  }

  const few = await statementsFor(mixed.few)
  const many = await statementsFor(mixed.many)

  expect(few.delivered.length).toBeGreaterThan(0)
  expect(many.delivered).toHaveLength(7 * few.delivered.length)
  expect(many.statements).toEqual(few.statements)
})

test('a plain-text answer counts many drafts with one statement', async () => {
  const { turn, draft_ids } = alike.many
  const texts: string[] = []
  const statements = await shaky.statementsOf(async () => {
    const answer = await plainTextAnswer(
      {
        database: shaky.database,
        companion: {
          async read({ onEvent }) {
            const data = { draft_ids, usage: noUsage, stop_reason: 'end_turn', citations: [] }
            onEvent({ seq: 1, type: 'done', data: { ...data, assistant_message_id: turn.id } })
            return 'ended'
          },
        },
        baseUrl: 'http://void.example',
        onWaiting: async () => {},
      },
      turn,
      { signal: new AbortController().signal },
    )
    texts.push(answer.text)
  })

  expect(texts.join()).toContain('50 changes wait for your approval.')
  expect(statements).toHaveLength(1)
})

test('undoing a changeset publishes many drafts with one statement', async () => {
  const { changeset_id, draft_ids } = alike.many
  const undone = draft_ids.map((id) => ({
    entity_type: 'task',
    entity_id: id,
    space_id: alike.many.space_id,
    seq: null,
    did: null,
    row: {},
    draft: { pending_change_id: id, undone: true },
  }))
  const undo = announceUndos(
    { ...deps.content.undo, changeset: async () => undone },
    { database: shaky.database, live: deps.server.live },
  )
  const published: string[] = []
  const stop = deps.server.live.subscribe(({ type, data }) => {
    if (type === 'change') published.push(data.id)
  }, null)

  const statements = await shaky.statementsOf(() => undo.changeset({ kind: 'owner' }, changeset_id))
  stop()

  expect(published).toEqual(draft_ids)
  expect(statements).toHaveLength(1)
})

async function expectAsMany(
  pathOf: (filled: Filled) => string,
  { few, many }: Record<'few' | 'many', Filled>,
) {
  const read = async (filled: Filled) => {
    const { status, body } = await owner.get(pathOf(filled))
    expect(status).toBe(200)
    return JSON.stringify(body).length
  }
  await read(few)

  const forFew = await shaky.statementsOf(() => read(few))
  const forMany = await shaky.statementsOf(() => read(many))

  expect(forMany.toSorted()).toEqual(forFew.toSorted())
  expect(forFew.length).toBeGreaterThan(0)
}
