import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { createStepCache, loadHistory } from '../../../lib/companion/prompt/load-history.ts'
import { createSpace } from '../../../lib/writes/write-space.ts'
import { testDb } from '../../helpers/test-db.ts'

const database = await testDb()
const [agent] = (await database.query<{ id: string }>("select id from agents where kind = 'companion'")).rows
const agentId = agent!.id

async function converse(): Promise<string> {
  const { id: space_id } = await createSpace(database, { kind: 'owner' }, { name: 'Skerry' })
  const { rows } = await database.query<{ id: string }>(
    `insert into conversations (id, space_id, agent_id, created_by)
     values ($1, $2, $3, 'owner')
     returning id`,
    [uuid(), space_id, agentId],
  )
  return rows[0]!.id
}

/** A turn with one step, which says `text`; its id. */
async function storeTurn(conversationId: string, text: string, isOver = true): Promise<string> {
  const id = uuid()
  await database.query(
    `with turn as (
       insert into turns (id, space_id, conversation_id, agent_id, status, body_hash, model, finished_at)
       select $1, space_id, id, $3, $5, '', 'test-model', case when $5 = 'done' then now() end
       from conversations
       where id = $2
     ), step as (
       insert into turn_steps (turn_id, seq, role, content)
       values ($1, 1, 'assistant', json_build_array(json_build_object('type', 'text', 'text', $6::text))::text)
     )
     insert into messages (id, conversation_id, turn_id, role, body, metadata)
     values ($4, $2, $1, 'user', 'Go on.', '{}')`,
    [id, conversationId, agentId, uuid(), isOver ? 'done' : 'running', text],
  )
  return id
}

const stepCache = createStepCache()

async function said(conversationId: string, cache = stepCache): Promise<unknown[]> {
  const request = { conversationId, beforeId: uuid(), agentId, model: 'test-model', stepCache: cache }
  const { messages } = await loadHistory(database, request)
  return messages.filter(({ role }) => role === 'assistant').map(({ content }) => content)
}

const text = (words: string) => [{ type: 'text', text: words }]
/** Nothing in Void does it: what is read again shows it. */
const rewrite = (id: string) =>
  database.query("update turn_steps set content = replace(content, 'lamp', 'LAMP') where turn_id = $1", [id])

test('steps of turns that are over are read once, and are the same objects again', async () => {
  const conversationId = await converse()
  const id = await storeTurn(conversationId, 'The lamp turns.')
  const first = await said(conversationId)
  await rewrite(id)
  await storeTurn(conversationId, 'It turns on.')

  const second = await said(conversationId)

  expect(second).toEqual([text('The lamp turns.'), text('It turns on.')])
  expect((second[0] as object[])[0]).toBe((first[0] as object[])[0])
  expect(await said(conversationId, createStepCache())).toEqual([
    text('The LAMP turns.'),
    text('It turns on.'),
  ])
})

test('steps of a turn that still runs are read again', async () => {
  const conversationId = await converse()
  const id = await storeTurn(conversationId, 'The lamp', false)
  expect(await said(conversationId)).toEqual([text('The lamp')])
  await rewrite(id)

  expect(await said(conversationId)).toEqual([text('The LAMP')])
})

test('what is known of a turn that another version took the place of is not given', async () => {
  const conversationId = await converse()
  const id = await storeTurn(conversationId, 'The lamp turns.')
  await storeTurn(conversationId, 'It turns on.')
  await said(conversationId)
  await database.query('update turns set aside_with = id where id = $1', [id])
  await database.query('delete from messages where turn_id = $1', [id])

  expect(await said(conversationId)).toEqual([text('It turns on.')])
})

test('beyond its room it forgets the conversation that was asked for longest ago', async () => {
  const cache = createStepCache({ conversations: 10, characters: 300 })
  const [first, second, third] = [await converse(), await converse(), await converse()]
  for (const id of [first, second, third]) await storeTurn(id, `The lamp ${'turns '.repeat(10)}`)

  for (const id of [first, second, first, third]) await said(id, cache)

  const keys = [...cache.keys()].map((key) => key.split(' ')[0])
  expect(keys.toSorted()).toEqual([first, third].toSorted())
  await storeTurn(third, 'turns '.repeat(100))
  expect(await said(third, cache)).toHaveLength(2)
  expect([...cache.keys()].map((key) => key.split(' ')[0])).toEqual([first])
})

test('it holds so many conversations, however little is said in them', async () => {
  const cache = createStepCache({ conversations: 2, characters: 1000 })
  const ids = [await converse(), await converse(), await converse()]

  for (const id of ids) await said(id, cache)

  expect([...cache.keys()].map((key) => key.split(' ')[0])).toEqual(ids.slice(1).toReversed())
})
