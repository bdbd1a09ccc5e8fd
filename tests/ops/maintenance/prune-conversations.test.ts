import { expect, test } from 'vitest'
import { pruneCalls, pruneConversations } from '../../../lib/ops/maintenance/prune.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { makeWorld } from '../../helpers/world.ts'

/** A word that stands nowhere else. */
const secret = 'zyzzogeton'
const void_ = await buildApp()
const { owner, deps } = void_
const { database } = deps
const world = await makeWorld(void_)
const at = `/api/spaces/${world.space.id}`
const inDays = (days: number) => ({ ...deps, now: () => new Date(Date.now() + days * 86_400_000) })

/** A turn that calls tools and drafts something, in a conversation of its own. */
async function converse(text: string) {
  const { body: conversation } = await owner.post(`${at}/conversations`).send({})
  const said = await owner.post(`${at}/companion/turn`).send({ text, conversation_id: conversation.id })
  expect(said.text).toContain('event: done')
  return conversation.id as string
}

/** The tables with a row that holds the word. */
async function tablesThatHold(word: string): Promise<string[]> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select table_name as name
     from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'
     order by table_name`,
  )
  const held: string[] = []
  for (const { name } of tables) {
    const { rows } = await database.query(
      `select from "${name}" each where strpos(lower(each::text), $1) > 0 limit 1`,
      [word],
    )
    if (rows.length > 0) held.push(name)
  }
  return held
}

test('what was said in a deleted conversation is kept for thirty days and stands nowhere after that', async () => {
  const id = await converse(`What does the ${secret} burn?`)
  const other = await converse('What does the lamp burn?')
  const before = await tablesThatHold(secret)
  const used = (await owner.get('/api/usage?by=purpose')).body
  await owner.delete(`${at}/conversations/${id}`)

  const early = await pruneConversations(inDays(29), 30)
  expect((await owner.post(`${at}/conversations/${id}/restore`).send({})).status).toBe(200)
  const restored = await pruneConversations(inDays(31), 30)
  await owner.delete(`${at}/conversations/${id}`)
  const late = await pruneConversations(inDays(31), 30)
  const again = await pruneConversations(inDays(31), 30)

  expect(before).toEqual(expect.arrayContaining(['messages', 'turn_steps', 'tool_calls', 'conversations']))
  expect([early, restored, late, again]).toEqual([0, 0, 1, 0])
  expect(await tablesThatHold(secret)).toEqual([])
  expect((await owner.post(`${at}/conversations/${id}/restore`).send({})).status).toBe(404)
  expect((await owner.get('/api/usage?by=purpose')).body).toEqual(used)
  expect((await owner.get(`/api/conversations/${other}/messages`)).body.items).toHaveLength(2)
})

test('a draft made in it can still be decided', async () => {
  const id = await converse('Create a task to polish the lens')
  const [draft] = (await owner.get('/api/pending-changes?status=pending')).body.items
  await owner.delete(`${at}/conversations/${id}`)
  await pruneConversations(inDays(31), 30)

  const { status, body } = await owner.post(`/api/pending-changes/${draft.id}/approve`).send({
    payload_sha256: draft.payload_sha256,
  })

  expect([status, body.status]).toEqual([200, 'approved'])
})

const kept = { days: 365, maxBytes: 1_000_000_000 }

test('records of tool calls are removed by their age', async () => {
  await converse('What does the lamp burn?')
  const count = async () => (await database.query('select from tool_calls')).rows.length
  const before = await count()

  expect(before).toBeGreaterThan(0)
  expect(await pruneCalls(inDays(364), kept)).toBe(0)
  expect(await pruneCalls(inDays(366), kept)).toBe(before)
  expect(await count()).toBe(0)
})

test('the oldest records of tool calls go where all come to too much, but none of the last day', async () => {
  for (const n of [1, 2, 3, 4]) await converse(`What does the lamp number ${n} burn?`)
  const texts = async () =>
    (
      await database.query<{ id: string; bytes: number }>(
        `select id, octet_length(arguments::text) + octet_length(result) + coalesce(octet_length(passage), 0) as bytes
         from tool_calls
         order by created_at desc, id desc`,
      )
    ).rows
  const before = await texts()
  const newest = before.slice(0, 2)
  const maxBytes = newest.reduce((sum, { bytes }) => sum + bytes, 0)

  expect(before.length).toBeGreaterThan(2)
  expect(await pruneCalls(inDays(0.9), { days: 365, maxBytes })).toBe(0)
  expect(await pruneCalls(inDays(2), { days: 365, maxBytes })).toBe(before.length - 2)
  expect(await texts()).toEqual(newest)
})
