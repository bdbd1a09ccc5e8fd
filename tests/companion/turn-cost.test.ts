// What a turn costs the database: each statement is a round trip, and in the embedded database time of the thread that
// answers.

import { expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { listen } from '../helpers/listen.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { createShakyDatabase } from '../helpers/shaky-database.ts'
import { testDb } from '../helpers/test-db.ts'
import { takeTurn } from '../helpers/turn-client.ts'
import { makeWorld } from '../helpers/world.ts'

let lampId: string
const shaky = createShakyDatabase(await testDb())
const { app, owner } = await buildApp({
  database: shaky.database,
  namingQuietMs: 3_600_000,
  callModel: scriptedModel([
    { text: 'Hello.' },
    { tools: [{ name: 'search', input: { q: 'lamp' } }] },
    () => ({ tools: [{ name: 'read', input: { kind: 'page', id: lampId } }] }),
    { text: 'Twelve seconds.' },
  ]),
})

test('a turn that is routed, searches and reads takes at most twenty-nine statements, of which four write steps', async () => {
  const url = await listen(app)
  const { space, lamp } = await makeWorld({ owner })
  lampId = lamp.id
  await takeTurn({ url, space_id: space.id, body: { text: 'Good evening' } })

  const statements = await shaky.statementsOf(async () => {
    const frames = await takeTurn({ url, space_id: space.id, body: { text: 'How often does it turn?' } })
    expect(frames.filter(({ type }) => type === 'tool')).toHaveLength(4)
    expect(frames.at(-1)?.type).toBe('done')
  })

  // Events that wait too long for a step are stored by themselves, which on a busy machine may happen.
  const own = statements.filter((text) => !/insert into turn_events/.test(text) || isStep(text))
  expect(own.filter(isStep)).toHaveLength(4)
  // One of them reads what was last said, for the router, one looks for what has the question as its name, and one, after
  // the end, for a message that waits. One reads the memory.
  // The first search of a Space counts its words, too, and one that finds few passages looks through titles.
  const first = /ts_stat|as slab|strpos\(lower\(title\)/
  expect(own.filter((text) => !first.test(text)).length).toBeLessThanOrEqual(29)
})

const isStep = (text: string) => /insert into (turn_steps|messages)/.test(text)
