// A line that is removed for good: from the page, its history and its drafts, by a door that nothing else goes through.

import { beforeEach, describe, expect, test } from 'vitest'
import { readMemory } from '../../../lib/core/text/memory/memory-lines.ts'
import { removedMark } from '../../../lib/core/text/memory/removed-mark.ts'
import type { Queryable } from '../../../lib/db/pool.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { makeAgent } from '../../helpers/world.ts'

const one = await buildApp()
const other = await buildApp({ database: one.deps.database })
const { owner, deps } = one
const { database } = deps
let space: { id: string; slug: string }
let conversation_id = ''

beforeEach(async () => {
  space = (await owner.post('/api/spaces').send({ name: 'Skerry Light' }).expect(201)).body
  conversation_id = (await owner.post(`/api/spaces/${space.id}/conversations`)).body.id
})

async function say(text: string): Promise<string[]> {
  const { text: stream } = await owner
    .post(`/api/spaces/${space.id}/companion/turn`)
    .send({ text, conversation_id })
    .expect(200)
  const done = /event: done\ndata: (.+)/.exec(stream)?.[1]
  return JSON.parse(done ?? '{"draft_ids":[]}').draft_ids
}

const memory = async () => (await owner.get(`/api/spaces/${space.id}/memory`).expect(200)).body
const approve = (id: string) => owner.post(`/api/pending-changes/${id}/approve`).send({}).expect(200)
const lines = async () => readMemory((await memory()).body).map(({ text }) => text)
const purge = (text: string, app = one) =>
  app.owner.post(`/api/spaces/${space.id}/memory/purge`).send({ text })
const verify = async () => (await owner.get('/api/audit/verify').expect(200)).body

async function remember(text: string): Promise<string> {
  const [id] = await say(`Remember that ${text}.`)
  await approve(id!)
  return id!
}

async function write(body: string): Promise<void> {
  const { id, version } = await memory()
  await owner.patch(`/api/pages/${id}`).send({ version, body }).expect(200)
}

/** Where a word is in the whole database, as "table.column", each once. */
async function placesOf(word: string, db: Queryable = database): Promise<string[]> {
  const { rows } = await db.query<{ table_name: string; column_name: string; data_type: string }>(
    `select table_name, column_name, data_type
     from information_schema.columns
     join information_schema.tables using (table_schema, table_name)
     where table_schema = current_schema() and table_type = 'BASE TABLE'
     order by table_name, column_name`,
  )
  const places: string[] = []
  for (const { table_name, column_name, data_type } of rows) {
    const text = data_type === 'bytea' ? `encode("${column_name}", 'escape')` : `"${column_name}"::text`
    const found = await db.query(`select from "${table_name}" where ${text} ilike $1 limit 1`, [`%${word}%`])
    if (found.rowCount) places.push(`${table_name}.${column_name}`)
  }
  return places
}

/** Conversations keep what was said in them; so does the log of a turn, for two days. */
const conversations = [
  'conversations.summary',
  'conversations.title',
  'messages.body',
  'messages.metadata',
  'tool_calls.arguments',
  'turn_events.data',
  'turn_steps.content',
]

describe('a purged line', () => {
  test('is in no column of the database but those of conversations', async () => {
    await remember('the cabin key hides under the zephyrq ledge')
    await remember('the rent is due on Mondays')
    await remember('The cabin key hides under the Zephyrq ledge')
    const { body } = await memory()
    await write(
      `The cabin key hides under the zephyrq ledge.\n\n${body.replace('- the rent', '- Blue.\n- the rent')}`,
    )
    const [refused] = await say('Remember that I live in Oslo.')
    const reason = 'It hides: the cabin key hides under the zephyrq ledge!'
    await owner.post(`/api/pending-changes/${refused}/reject`).send({ reason }).expect(200)
    await say('Good evening')
    const before = await placesOf('zephyrq')
    const purged = await purge('the cabin key hides under the ZEPHYRQ ledge.').expect(200)

    expect(before).toEqual(
      expect.arrayContaining([
        ...['audit_log.after', 'audit_log.before', 'chunks.text', 'pages.body', 'delivered_outcomes.line'],
        ...['pending_changes.decision', 'pending_changes.payload', 'pending_changes.reason'],
      ]),
    )
    expect(await placesOf('zephyrq')).toEqual(conversations)
    expect(await lines()).toEqual(['Blue.', 'the rent is due on Mondays'])
    expect(purged.body.removed).toMatchObject({ lines: 1, drafts: 4 })
    expect(await verify()).toMatchObject({ sound: true, redacted: purged.body.removed.versions })
  })

  test('is listed by no answer that was given it', async () => {
    await remember('the boat is called Ternq')
    await say('Good evening')
    await purge('the boat is called Ternq').expect(200)
    const { body } = await owner.get(`/api/conversations/${conversation_id}/messages`).expect(200)

    expect(body.items.at(-1).metadata.memory).toEqual([
      { text: removedMark, said: expect.any(String), old: false },
    ])
  })

  test('leaves each version with its number, its time and its other lines', async () => {
    await remember('the boat is called Ternq')
    await remember('the boat is called Ternq, not Skua')
    const { id } = await memory()
    const history = async () => (await owner.get(`/api/pages/${id}/history`).expect(200)).body.items
    const before = await history()
    await purge('the boat is called Ternq').expect(200)
    const after = await history()
    const { body } = await owner.get(`/api/pages/${id}/history/diff?from=1&to=2`).expect(200)

    const timesOf = (items: { action: string; version: number; at: string }[]) =>
      items.filter(({ action }) => action !== 'redact').map(({ version, at }) => [version, at])
    expect(timesOf(after).slice(-before.length)).toEqual(timesOf(before))
    expect(after[0]).toMatchObject({ action: 'redact', version: null, actor: 'owner' })
    expect(await lines()).toEqual(['the boat is called Ternq, not Skua'])
    expect(JSON.stringify(body)).toContain(`- ${removedMark}`)
    expect(JSON.stringify(body)).toContain('the boat is called Ternq, not Skua')
  })

  test('that was forgotten before goes from the history, and undoing that brings back the mark alone', async () => {
    await remember('the boat is called Fulmarq')
    const [forget] = await say('Forget that the boat is called Fulmarq')
    await approve(forget!)
    const first = await purge('the boat is called Fulmarq').expect(200)
    await owner.post(`/api/pending-changes/${forget}/undo`).send({}).expect(200)

    expect(first.body.removed.lines).toBe(0)
    expect(await lines()).toEqual([removedMark])
    expect(await placesOf('fulmarq')).toEqual(conversations)
  })

  test('is removed once: what there is not is a 404', async () => {
    await remember('the boat is called Ternq')
    await purge('the boat is called Ternq').expect(200)
    const again = await purge('the boat is called Ternq')
    const unknown = await purge('I own a horse')

    expect([again.status, unknown.status]).toEqual([404, 404])
    expect(await verify()).toMatchObject({ sound: true })
  })

  test('of the page of all Spaces goes from there, whatever Space it is kept in', async () => {
    const { id, version } = (await owner.get('/api/memory').expect(200)).body
    await owner.patch(`/api/pages/${id}`).send({ version, body: '- Call me Unaq please.\n' }).expect(200)
    await say('Good evening')
    const inSpace = await purge('Call me Unaq please')
    await owner.post('/api/memory/purge').send({ text: 'call me Unaq please' }).expect(200)

    expect(inSpace.status).toBe(404)
    expect(await placesOf('unaq')).not.toContain('audit_log.after')
    expect(await placesOf('unaq')).not.toContain('pages.body')
    const { body } = await owner.get(`/api/conversations/${conversation_id}/messages`)
    expect(body.items.at(-1).metadata.memory).toContainEqual(expect.objectContaining({ text: removedMark }))
  })

  test('stays where other pages and Spaces have it', async () => {
    await remember('the boat is called Ternq')
    const page = { title: 'Boats', body: '- the boat is called Ternq\n' }
    const { id } = (await owner.post(`/api/spaces/${space.id}/pages`).send(page).expect(201)).body
    const elsewhere = (await owner.post('/api/spaces').send({ name: 'Other' }).expect(201)).body
    const there = (await owner.get(`/api/spaces/${elsewhere.id}/memory`).expect(200)).body
    const sent = { version: there.version, body: page.body }
    await owner.patch(`/api/pages/${there.id}`).send(sent).expect(200)
    await purge('the boat is called Ternq').expect(200)

    for (const each of [id, there.id]) {
      const { body } = await owner.get(`/api/audit?entity_id=${each}`)
      expect(JSON.stringify(body.items[0].after)).toContain('the boat is called Ternq')
      expect((await owner.get(`/api/pages/${each}`)).body.body).toBe(page.body)
    }
  })
})

test.each(['completely', 'for good', 'forever, please'])(
  '“forget that … %s” drafts what “forget” does, and the answer says where the line stays',
  async (how) => {
    await remember('the boat is called Ternq')
    const [forget] = await say(`Forget that the boat is called Ternq ${how}.`)
    const { body } = await owner.get(`/api/conversations/${conversation_id}/messages`).expect(200)
    await approve(forget!)

    expect(body.items.at(-1).body).toContain('stays in the history of the page')
    expect(body.items.at(-3).body).not.toContain('history')
    expect(await lines()).toEqual([])
  },
)

describe('a purge', () => {
  test('waits for drafts with the line, of whatever they are about', async () => {
    await remember('the boat is called Ternq')
    const [added] = await say('Remember that I sail on Fridays')
    const waits = await purge('the boat is called Ternq')
    await owner.post(`/api/pending-changes/${added}/reject`).send({}).expect(200)
    const [forget] = await say('Forget that the boat is called Ternq')
    const forgets = await purge('the boat is called Ternq')
    await approve(forget!)
    await purge('the boat is called Ternq').expect(200)

    expect([waits.status, waits.body.error.code]).toEqual([409, 'draft_waits'])
    expect(waits.body.error.details).toEqual({ pending_change_id: added })
    expect([forgets.status, forgets.body.error.code]).toEqual([409, 'draft_waits'])
  })

  test('is refused for a page in the trash', async () => {
    await remember('the boat is called Ternq')
    const { id, version } = await memory()
    await owner.delete(`/api/pages/${id}`).send({ version }).expect(200)
    const refused = await purge('the boat is called Ternq')
    await owner.post(`/api/pages/${id}/restore`).send({}).expect(200)
    await purge('the boat is called Ternq').expect(200)

    expect([refused.status, refused.body.error.code]).toEqual([409, 'in_trash'])
  })

  test('is the owner’s alone, of one line, and of a memory page that there is', async () => {
    const none = await purge('the boat is called Ternq')
    await remember('the boat is called Ternq')
    const { token } = await makeAgent(one, { slug: `sam-${space.slug}`, spaces: [space.id] })
    const agent = one.as(token)
    const texts = ['', '   ', 'x'.repeat(2001), 7, undefined]
    const refused = await Promise.all(
      texts.map((text) => owner.post(`/api/spaces/${space.id}/memory/purge`).send({ text })),
    )

    expect(none.status).toBe(404)
    expect((await agent.post(`/api/spaces/${space.id}/memory/purge`).send({ text: 'x' })).status).toBe(403)
    expect((await agent.post('/api/memory/purge').send({ text: 'x' })).status).toBe(403)
    expect(refused.map(({ status }) => status)).toEqual(texts.map(() => 400))
    expect(await lines()).toEqual(['the boat is called Ternq'])
  })

  test('of marks or of one word takes that line alone', async () => {
    await write('- Memory\n- page\n- approve\n- ☂\n- ☀\n- page two\n')
    const drafted = await remember('the boat is called Ternq')
    for (const text of ['☂', 'page', 'Memory', 'approve']) await purge(text).expect(200)
    const draft = await owner.get(`/api/pending-changes/${drafted}`).expect(200)

    expect(await lines()).toEqual(['☀', 'page two', 'the boat is called Ternq'])
    expect(await memory()).toMatchObject({ title: 'Memory' })
    expect(draft.body).toMatchObject({ entity_type: 'page', decision: { decision: 'approve' } })
  })

  test('by two servers at once, beside each other’s writes, leaves a sound log and none of the words', async () => {
    const names = ['Petrelq', 'Skuaq', 'Gullq', 'Aukq']
    await write(names.map((name) => `- the boat is called ${name}\n`).join(''))
    const answers = await Promise.all([
      ...names.flatMap((name) => [one, other].map((app) => purge(`the boat is called ${name}`, app))),
      ...[1, 2, 3].map((n) => owner.post(`/api/spaces/${space.id}/pages`).send({ title: `Page ${n}` })),
    ])

    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([200, 200, 200, 200, 201, 201, 201, 404, 404, 404, 404])
    for (const name of names) expect(await placesOf(name)).toEqual([])
    expect(await verify()).toMatchObject({ sound: true })
  })

  test('of more versions than are read at once takes them all', async () => {
    await write('- the boat is called Puffinq\n')
    for (let n = 0; n < 120; n += 1) await write(`- the boat is called Puffinq\n- ${n}\n`)
    const { body } = await purge('the boat is called Puffinq').expect(200)

    expect(body.removed.versions).toBe(122)
    expect(await placesOf('puffinq')).toEqual([])
    expect(await verify()).toMatchObject({ sound: true })
  })

  test('cannot be undone', async () => {
    await remember('the boat is called Ternq')
    const { body: page } = await owner.get(`/api/spaces/${space.id}/memory`)
    await purge('the boat is called Ternq').expect(200)
    const { body } = await owner.get(`/api/audit?entity_id=${page.id}`)
    const { seq, action } = body.items[0]
    const undo = await owner.post(`/api/audit/${seq}/undo`).send({})

    expect(action).toBe('redact')
    expect([undo.status, undo.body.error.code]).toEqual([409, 'not_undoable'])
  })
})
