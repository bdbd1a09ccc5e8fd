import { describe, expect, test } from 'vitest'
import type { CallModel } from '../../../lib/ai/model.ts'
import { addToLedger } from '../../../lib/companion/routines/ready/ledger.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'
import { makeReady } from './ready-routine.ts'

const app = await buildApp()
const { owner } = app

const lease = 'The lease of Skerry Light ends on 1 May 2027. The keeper pays it by the quarter.'
const other = 'From a letter. The lease of Skerry Light ends on 30 June 2027.'

async function approve(ids: readonly string[]) {
  for (const id of ids) await owner.post(`/api/pending-changes/${id}/approve`).send({}).expect(200)
}

describe('without a model', () => {
  test('two values for one thing are listed on a page, quoted, linked and dated', async () => {
    const space = await makeReady(app, 'contradictions')
    const one = await space.page('Lease', lease)
    const two = await space.page('Letter of Anna', other)
    await space.page('Tides', 'The tide at Skerry Light turns at six in the evening.')

    const { status, found, answer } = await space.run()

    expect([status, found.length]).toEqual(['done', 1])
    const { body, title } = found[0].payload
    expect(title).toBe('Contradictions')
    expect(body).toContain('“The lease of Skerry Light ends on 1 May 2027.”')
    expect(body).toContain('“The lease of Skerry Light ends on 30 June 2027.”')
    for (const id of [one, two]) expect(body).toContain(`/pages/${id}?cite=`)
    expect(body).toMatch(/last changed 20\d\d-\d\d-\d\d/)
    expect(answer).toContain('One contradiction')
  })

  test('each pair comes once, until one side changes', async () => {
    const space = await makeReady(app, 'contradictions')
    const one = await space.page('Lease', lease)
    await space.page('Letter of Anna', other)
    const first = await space.run()
    const waiting = await space.run()
    await approve(first.draft_ids)
    const again = await space.run()
    await owner
      .patch(`/api/pages/${one}`)
      .send({ body: `${lease}\n\nA line that has nothing to do with it.`, version: 1 })
      .expect(200)
    const beside = await space.run()
    await owner
      .patch(`/api/pages/${one}`)
      .send({ body: lease.replace('1 May', '2 May'), version: 2 })
      .expect(200)
    const changed = await space.run()

    expect([waiting, again, beside].map(({ status }) => status)).toEqual(Array(3).fill('nothing_to_do'))
    expect(changed.found).toHaveLength(1)
    expect(changed.found[0].action).toBe('update')
    expect(changed.found[0].payload.body).toContain('2 May 2027')
    expect(changed.found[0].payload.body).toContain('1 May 2027')
  })

  test('a dry run tells nothing that the next run does not tell', async () => {
    const space = await makeReady(app, 'contradictions')
    await space.page('Lease', lease)
    await space.page('Letter of Anna', other)
    const dry = await space.run({ dry_run: true })
    const real = await space.run()

    expect([dry.draft_ids.length, real.draft_ids.length]).toEqual([0, 1])
  })

  test('where one side is plainly the newer, the other one is corrected by a draft', async () => {
    const space = await makeReady(app, 'contradictions')
    const old = await space.page('Lease', lease)
    await app.deps.database.query(
      "update pages set created_at = now() - interval '90 days', updated_at = now() - interval '60 days' where id = $1",
      [old],
    )
    await space.page('Letter of Anna', other)
    const { found } = await space.run()
    const correction = found.find(({ entity_id }: { entity_id: string }) => entity_id === old)

    expect(found).toHaveLength(2)
    expect(correction.payload.body).toBe(lease.replace('1 May 2027', '30 June 2027'))
    expect(correction.reason).toContain('“Letter of Anna” is newer')
  })

  test.each([
    [
      'two things',
      'The lease of Skerry Light ends on 1 May 2027.',
      'The lease of Gull Rock ends on 30 June 2027.',
    ],
    [
      'two times',
      'In 2019 the lamp of Skerry Light was cleaned by Anna.',
      'In 2024 the lamp of Skerry Light was cleaned by Anna.',
    ],
    [
      'the same in other words',
      'Skerry Light has a lamp of 2,000 watts.',
      'Skerry Light has a lamp of 2000 watts.',
    ],
    ['a question', 'Does the lease of Skerry Light end on 1 May 2027?', other],
  ])('%s are no contradiction', async (_, one, two) => {
    const space = await makeReady(app, 'contradictions')
    await space.page('One', one)
    await space.page('Two', two)

    expect((await space.run()).status).toBe('nothing_to_do')
  })

  test('the page of contradictions and the memory page are no side of one', async () => {
    const space = await makeReady(app, 'contradictions')
    const { body: memory } = await owner.get(`${space.at}/memory`).expect(200)
    await owner
      .patch(`/api/pages/${memory.id}`)
      .send({ body: `- ${lease}`, version: memory.version })
      .expect(200)
    const one = await space.page('Letter of Anna', other)
    const silent = await space.run()
    await space.page('Lease', lease)
    await approve((await space.run()).draft_ids)
    await owner.delete(`/api/pages/${one}`).expect(200)
    const later = await space.run()

    expect([silent.status, later.status]).toEqual(['nothing_to_do', 'nothing_to_do'])
  })

  test('what is quoted from outside marks the draft', async () => {
    const space = await makeReady(app, 'contradictions')
    await space.page('Lease', lease)
    const outside = await space.page('Letter of Anna', other)
    await app.deps.database.query("update pages set origin = 'import' where id = $1", [outside])
    const { found } = await space.run()

    const source = found[0].provenance.sources.find((one: { entity_id: string }) => one.entity_id === outside)

    expect(source).toMatchObject({ untrusted: true, in_turn: true })
  })
})

test('entries of one day stand under one heading, and the latest day comes first', () => {
  const first = addToLedger('', '2026-11-01', ['- one'])
  const both = addToLedger(first, '2026-11-01', ['- two'])
  const later = addToLedger(both, '2026-11-02', ['- three'])

  expect(later.match(/^## .*$/gm)).toEqual(['## 2026-11-02', '## 2026-11-01'])
  expect(later.indexOf('- two')).toBeLessThan(later.indexOf('- one'))
  expect(later.startsWith('Pages that give different values')).toBe(true)
})

describe('with a model', () => {
  const asked: string[] = []
  let verdict = '{"contradictions": []}'
  const callModel: CallModel = (request) => {
    asked.push(JSON.stringify(request.messages))
    return scriptedModel([() => ({ text: verdict })])(request)
  }

  test('it judges what code found, by the instruction, and nothing it says is drafted', async () => {
    const judged = await buildApp({ callModel })
    const space = await makeReady(judged, 'contradictions', { instruction: 'Not the lease, please.' })
    await space.page('Lease', lease)
    await space.page('Letter of Anna', other)
    const none = await space.run()
    await space.page('Harbor', 'The harbor of Skerry Light is 14 metres deep.')
    await space.page('Chart', 'The harbor of Skerry Light is 12 metres deep.')
    verdict = '{"contradictions": ["1"]}'
    const one = await space.run()

    expect(asked[0]).toContain('Not the lease, please.')
    expect(none.status).toBe('nothing_to_do')
    expect(one.found).toHaveLength(1)
    expect(one.found[0].payload.body).toContain('14 metres')
    expect(one.found[0].payload.body).not.toContain('lease')
  })

  test('where its budget allows no model, or it answers nonsense, code is believed', async () => {
    const judged = await buildApp({ callModel })
    asked.length = 0
    const free = await makeReady(judged, 'contradictions', { budget_usd: 0 })
    await free.page('Lease', lease)
    await free.page('Letter of Anna', other)
    const unpaid = await free.run()
    const calls = asked.length
    verdict = 'I cannot say.'
    const odd = await makeReady(judged, 'contradictions')
    await odd.page('Lease', lease)
    await odd.page('Letter of Anna', other)

    expect([unpaid.found.length, calls]).toEqual([1, 0])
    expect((await odd.run()).found).toHaveLength(1)
  })
})
