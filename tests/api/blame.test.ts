import { describe, expect, test } from 'vitest'
import { blameText } from '../../lib/changes/blame/blame.ts'
import type { Blame } from '../../lib/contract/changes/blame.ts'
import { createEntitiesRepo } from '../../lib/db/repos/entities.ts'
import { buildApp } from '../helpers/build-app.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { leaseBody, makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { app, owner, deps } = void_
const world = await makeWorld(void_)
const at = `/api/spaces/${world.space.id}`

const blameOf = async (path: string, id: string, query = ''): Promise<Blame> => {
  const { status, body } = await owner.get(`/api/${path}/${id}/blame${query}`)
  expect([status, body.error]).toEqual([200, undefined])
  return body
}
/** Each passage with the version that wrote it. */
const told = ({ passages, changes }: Blame) =>
  passages.map(({ seq, text }) => [changes.find((change) => change.seq === seq)?.version, text])

async function makePage(body: string, title = 'A page'): Promise<{ id: string; version: number }> {
  return (await owner.post(`${at}/pages`).send({ title, body })).body
}
const patch = (id: string, version: number, fields: object) =>
  owner.patch(`/api/pages/${id}`).send({ version, ...fields })

describe('a passage that a draft wrote', () => {
  const body = leaseBody.replace('410 crowns', '450 crowns')

  test('names the draft, who approved it, the turn, and the sources behind it', async () => {
    const letter = await owner
      .post(`${at}/source-docs`)
      .send({ title: 'Letter of the harbour office', text: 'From May the rent is 450 crowns.' })
    app.locals.callModel = scriptedModel([
      { tools: [{ name: 'read', input: { kind: 'source_doc', id: letter.body.id } }] },
      {
        tools: [
          {
            name: 'propose_change',
            input: {
              entity_type: 'page',
              action: 'update',
              entity_id: world.lease.id,
              payload: { body },
              reason: 'The letter says so.',
            },
          },
        ],
      },
      { text: 'Drafted.' },
    ])
    await owner.post(`${at}/companion/turn`).send({ text: 'Put the new rent into the lease' })
    const { body: drafts } = await owner.get(`/api/pending-changes?space_id=${world.space.id}`)
    await owner.post(`/api/pending-changes/${drafts.items[0].id}/approve`)

    const blame = await blameOf('pages', world.lease.id)

    expect(told(blame)).toEqual([
      [1, body.slice(0, body.indexOf('450'))],
      [2, '450'],
      [1, body.slice(body.indexOf('450') + 3)],
    ])
    expect(blame.complete).toBe(true)
    expect(blame.passages.map(({ line }) => line)).toEqual([1, 3, 3])
    expect(blame.changes).toMatchObject([
      {
        version: 2,
        actor: 'owner',
        action: 'update',
        outside: false,
        draft: {
          pending_change_id: drafts.items[0].id,
          agent: { slug: 'companion' },
          derivation: 'proposed',
          approved: { by: 'owner' },
          note: 'The letter says so.',
          asked: 'Put the new rent into the lease',
          turn: { id: drafts.items[0].turn_id, conversation: { id: drafts.items[0].conversation_id } },
          provenance: {
            known: true,
            sources: [{ entity_type: 'source_doc', entity_id: letter.body.id, untrusted: false }],
          },
        },
      },
      { version: 1, actor: 'owner', action: 'create', draft: null },
    ])
  })

  test('is found by its place alone, and a place in another version is refused', async () => {
    const start = body.indexOf('450')
    const part = await blameOf('pages', world.lease.id, `?start=${start}&end=${start + 3}&version=2`)

    expect(told(part)).toEqual([[2, '450']])
    expect(part.changes).toHaveLength(1)
    expect((await owner.get(`/api/pages/${world.lease.id}/blame?version=1`)).status).toBe(409)
  })

  test('tells another agent who and when, and no more', async () => {
    const { token } = await makeAgent(void_, { slug: 'scribe', spaces: [world.space.id] })

    const { body: blame } = await void_.as(token).get(`/api/pages/${world.lease.id}/blame`)

    expect(blame.changes[0].draft).toMatchObject({
      agent: { slug: 'companion' },
      approved: { by: 'owner' },
      note: null,
      asked: null,
      turn: null,
      provenance: null,
    })
    expect(JSON.stringify(blame)).not.toContain('Put the new rent')
    expect(JSON.stringify(blame)).not.toContain('harbour office')
  })

  test('belongs, once the draft is taken back and back again, to those who wrote it', async () => {
    const { changes } = await blameOf('pages', world.lease.id)
    const undone = await owner.post(`/api/audit/${changes[0]!.seq}/undo`)
    expect(told(await blameOf('pages', world.lease.id))).toEqual([[1, leaseBody]])

    await owner.post(`/api/audit/${undone.body.seq}/undo`)
    expect(told(await blameOf('pages', world.lease.id)).map(([version]) => version)).toEqual([1, 2, 1])
  })
})

describe('what counts', () => {
  test('front matter is text as any other, and moving or renaming a page writes none of it', async () => {
    const page = await makePage('---\nstatus: old\n---\n\nThe lamp turns.\n')
    await patch(page.id, 1, { parent_id: world.lamp.id })
    await patch(page.id, 2, { title: 'Another' })
    await patch(page.id, 3, { body: '---\nstatus: new\n---\n\nThe lamp turns.\n' })
    await owner.delete(`/api/pages/${page.id}`)
    await owner.post(`/api/pages/${page.id}/restore`)

    expect(told(await blameOf('pages', page.id))).toEqual([
      [1, '---\nstatus: '],
      [4, 'new'],
      [1, '\n---\n\nThe lamp turns.\n'],
    ])
  })

  test('every kind has it, and an empty text has no passages', async () => {
    for (const { path, bodyField } of deps.kinds.all) {
      const { body: made } = await owner.post(`${at}/${path}`).send({ title: 'One', [bodyField]: 'A line.' })
      const { body: empty } = await owner.post(`${at}/${path}`).send({ title: 'Two' })

      expect([path, told(await blameOf(path, made.id))]).toEqual([path, [[1, 'A line.']]])
      expect([path, (await blameOf(path, empty.id)).passages]).toEqual([path, []])
    }
  })

  test('an import is from outside', async () => {
    const made = await deps.database.transaction((tx) =>
      deps.content.writer.write(
        tx,
        {
          action: 'create',
          type: 'page',
          space_id: world.space.id,
          fields: { title: 'Brought in', body: 'Words.' },
          origin: 'import',
        },
        { actor: { kind: 'system', name: 'import' } },
      ),
    )

    expect((await blameOf('pages', made.id)).changes).toMatchObject([
      { actor: 'system:import', outside: true, draft: null },
    ])
  })
})

describe('a history longer than what is looked through', () => {
  test('leaves what is older to nobody, and says so', async () => {
    const page = await makePage('One.\n')
    let body = 'One.\n'
    for (let version = 1; version <= 20; version += 1) {
      body += `Line ${version} is here.\n`
      await patch(page.id, version, { body })
    }
    const kind = deps.kinds.get('page')
    const row = (await createEntitiesRepo(deps.database).find(kind, world.space.id, page.id))!
    const actor = { kind: 'owner' } as const

    const cut = await blameText(deps, {
      kind,
      row,
      actor,
      limits: { changes: 10, characters: 1e6 },
    })
    const whole = await blameText(deps, { kind, row, actor })

    expect(cut.complete).toBe(false)
    expect(cut.passages[0]).toMatchObject({ seq: null, start: 0 })
    expect(cut.passages.map(({ text }) => text).join('')).toBe(body)
    expect(whole.complete).toBe(true)
    expect(whole.passages).toHaveLength(21)
  })
})

test('an agent is told of nothing that it may not read', async () => {
  const inside = await makeAgent(void_, { slug: 'guest', spaces: [world.space.id] })
  const outside = await makeAgent(void_, { slug: 'stranger', spaces: [world.other.id] })
  const blind = await makeAgent(void_, {
    slug: 'blind',
    spaces: null,
    capabilities: { read: false, suggest: true },
  })
  const ask = async (token: string) => (await void_.as(token).get(`/api/pages/${world.lamp.id}/blame`)).status

  expect([await ask(inside.token), await ask(outside.token), await ask(blind.token)]).toEqual([200, 404, 403])
  expect((await owner.get(`/api/tasks/${world.lamp.id}/blame`)).status).toBe(404)
})
