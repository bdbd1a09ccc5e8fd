// What tools do to the owner's view, from the tool to the reader of the turn and to the log of it.

import { Writable } from 'node:stream'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Tool } from '../../lib/ai/agent/registry.ts'
import { createCompanionRegistry } from '../../lib/ai/agent/tools/index.ts'
import { kinds } from '../../lib/contract/entities/kinds.ts'
import type { Effect, Panel } from '../../lib/contract/events/effects.ts'
import { createLogger } from '../../lib/core/logger.ts'
import { createTurnStepsRepo } from '../../lib/db/repos/turn_steps.ts'
import { buildApp } from '../helpers/build-app.ts'
import { listen } from '../helpers/listen.ts'
import { type ScriptedStep, scriptedModel } from '../helpers/scripted-model.ts'
import { type Frame, ofType, takeTurn } from '../helpers/turn-client.ts'
import { makeWorld } from '../helpers/world.ts'

const log: string[] = []
const destination = new Writable({
  write(chunk, _encoding, done) {
    log.push(String(chunk))
    done()
  },
})
let shown: Effect[] = []
/** A tool of one file, with its own effects. */
const show: Tool<Record<string, never>, object> = {
  name: 'show',
  description: 'Show whatever the test wants.',
  input: z.object({}),
  capability: 'read',
  actionClass: 'navigational',
  handler: async () => ({}),
  effects: () => shown,
}
const registry = createCompanionRegistry(kinds.all)
// The one line that a new tool costs.
registry.registerTool(show)

const void_ = await buildApp({ registry, logger: createLogger('warn', destination) })
const { app, owner, deps } = void_
const world = await makeWorld(void_)
const url = await listen(app)
const space_id = world.space.id
const lamp: Panel = { space_id, kind: 'page', id: world.lamp.id, title: 'The lamp' }

beforeEach(() => {
  log.length = 0
})

async function play(...steps: ScriptedStep[]): Promise<Frame[]> {
  app.locals.callModel = scriptedModel([...steps, { text: 'There.' }])
  return await takeTurn({ url, space_id, body: { text: 'Show me.' } })
}

const effectsOf = (frames: readonly Frame[]) => ofType(frames, 'effect').map(({ data }) => data.effect)
const call = (name: string, input: unknown = {}) => ({ tools: [{ name, input }] })
const dropped = () => log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'effect dropped')

describe('each of the seven', () => {
  test('is derived by Void’s own tools or their class, told behind its call and kept with the turn', async () => {
    const words = 'The rent is 410 crowns a month'
    const frames = await play(
      call('open', { action: 'open', kind: 'page', id: world.lamp.id, side: 'right' }),
      call('open', { action: 'focus', view: 'tasks' }),
      call('read', { kind: 'page', id: world.lamp.id }),
      call('open', { action: 'close', kind: 'page', id: world.lamp.id }),
      call('highlight', { kind: 'page', id: world.lease.id, text: words }),
    )
    const drafted = await play(
      call('propose_change', {
        entity_type: 'task',
        action: 'update',
        entity_id: world.paint.id,
        payload: { priority: 'low' },
        reason: 'It can wait.',
      }),
    )
    const deletion = { entity_type: 'task', action: 'delete', entity_id: world.paint.id, reason: 'Done.' }
    const asked = await play(call('propose_change', deletion))

    expect(effectsOf(frames)).toEqual([
      { type: 'openPanel', panel: lamp, side: 'right' },
      { type: 'focusPanel', panel: { space_id, view: 'tasks', q: null, title: 'Tasks' } },
      { type: 'updateContent', panel: lamp, version: 1 },
      { type: 'closePanel', panel: lamp },
      { type: 'highlight', panel: { ...lamp, id: world.lease.id, title: world.lease.title }, text: words },
    ])
    expect(effectsOf(drafted)).toEqual([])
    expect(effectsOf(asked)).toEqual([
      { type: 'confirm', pending_change_id: expect.any(String), summary: expect.stringContaining('Paint') },
    ])
    const types = asked.map(({ type }) => type)
    expect(types.indexOf('effect')).toBeGreaterThan(types.lastIndexOf('draft'))
    const turn = ofType(frames, 'turn')[0]!.data.turn_id
    const stored = await createTurnStepsRepo(deps.database).listEvents(turn, 0, 1000)
    expect(stored.filter(({ type }) => type === 'effect').map(({ data }) => JSON.parse(data).effect)).toEqual(
      effectsOf(frames),
    )
  })

  test('goes through from a tool that nothing else knows of', async () => {
    shown = [
      { type: 'openPanel', panel: lamp, side: 'here' },
      { type: 'notify', level: 'success', message: 'Shown.' },
    ]

    expect(effectsOf(await play(call('show')))).toEqual(shown)
  })
})

test('a newer version is told of what is open, and of nothing else', async () => {
  const read = call('read', { kind: 'page', id: world.lamp.id })
  const lease = { view: { entityType: 'page', entityId: world.lease.id } }
  const tabs = (id: string) => ({
    desk: { active: 'left', tabs: [{ side: 'left', shown: false, kind: 'page', id }] },
  })
  const counts: number[] = []

  for (const more of [{}, lease, tabs(world.lease.id), tabs(world.lamp.id)]) {
    app.locals.callModel = scriptedModel([read, { text: 'Read.' }])
    counts.push(effectsOf(await takeTurn({ url, space_id, body: { text: 'Read it.', ...more } })).length)
  }

  expect(counts).toEqual([0, 0, 0, 1])
})

describe('what the session cannot see', () => {
  test('is dropped and logged, whatever kind of effect it is, and the rest goes on', async () => {
    const { body: foreign } = await owner
      .post(`/api/spaces/${world.other.id}/pages`)
      .send({ title: 'Harbour secrets', body: '' })
    const elsewhere = { ...lamp, space_id: world.other.id, id: foreign.id }
    const smuggled = { ...lamp, id: foreign.id }
    const bad: Effect[] = [
      { type: 'openPanel', panel: elsewhere, side: 'here' },
      { type: 'openPanel', panel: smuggled, side: 'here' },
      { type: 'openPanel', panel: { ...lamp, kind: 'spell' }, side: 'here' },
      { type: 'focusPanel', panel: smuggled },
      { type: 'closePanel', panel: elsewhere },
      { type: 'highlight', panel: smuggled, text: 'x' },
      { type: 'confirm', pending_change_id: foreign.id, summary: '' },
    ]
    shown = [...bad, { type: 'focusPanel', panel: lamp }]

    const frames = await play(call('show'))

    expect(effectsOf(frames)).toEqual([{ type: 'focusPanel', panel: lamp }])
    expect(frames.at(-1)?.type).toBe('done')
    expect(dropped().map(({ effect }) => effect)).toEqual(bad.map(({ type }) => type))
    expect(dropped()[0]).toMatchObject({
      effect: 'openPanel',
      reason: 'another Space',
      turn_id: expect.any(String),
    })
    expect(JSON.stringify(frames)).not.toContain(foreign.id)
  })

  test('what has been closed need not be there any more', async () => {
    shown = [{ type: 'closePanel', panel: { ...lamp, id: '0190a1b2-0000-7000-8000-00000000000f' } }]

    expect(effectsOf(await play(call('show')))).toEqual(shown)
    expect(dropped()).toEqual([])
  })
})
