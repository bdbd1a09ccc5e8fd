import { describe, expect, test } from 'vitest'
import { addProgress, emptyProgress } from '../../../lib/ai/agent/events.ts'
import { normalizeResponse } from '../../../lib/ai/history/normalize-response.ts'
import { repairHistory } from '../../../lib/ai/history/repair-history.ts'
import { noUsage } from '../../../lib/ai/model.ts'
import { createPacedModel } from '../../helpers/paced-model.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'
import { tellTurn } from '../tea-house.ts'

const search = { name: 'search', input: { q: 'tea' } }

/** A clock that goes on by a second each time it is read. */
function ticking(): () => number {
  let ms = 0
  return () => {
    ms += 1000
    return ms
  }
}

describe('what the model thinks', () => {
  test('is streamed and timed beside the answer, and is no part of it', async () => {
    const callModel = scriptedModel([
      { thinking: 'Green? ', text: 'Let me look.', deltas: 1, tools: [search] },
      { thinking: 'Sencha.', text: 'Sencha is.', deltas: 1 },
    ])

    const { result, events } = await tellTurn({ callModel, now: ticking() })

    expect(events.filter(({ type }) => type !== 'tool')).toEqual([
      { type: 'thinking', data: { text: 'Green? ' } },
      { type: 'thought', data: { duration_ms: 1000 } },
      { type: 'delta', data: { text: 'Let me look.' } },
      { type: 'thinking', data: { text: '\n\nSencha.' } },
      { type: 'thought', data: { duration_ms: 2000 } },
      { type: 'delta', data: { text: '\n\nSencha is.' } },
    ])
    expect(result.text).toBe('Let me look.\n\nSencha is.')
    expect(JSON.stringify(result.messages)).not.toContain('Green?')
    const progress = emptyProgress()
    for (const event of events) if (event.type !== 'draft') addProgress(progress, event)
    expect(progress.thinking).toEqual({ text: 'Green? \n\nSencha.', duration_ms: 2000 })
  })

  test('ends with the call that it ends in, also one that fails or is stopped', async () => {
    const stop = new AbortController()
    const paced = createPacedModel()
    const stopped = tellTurn({ callModel: paced.callModel, signal: stop.signal })
    await paced.think('Hm')
    stop.abort()

    const failed = await tellTurn({
      callModel: scriptedModel([{ thinking: 'Hm', error: new Error('gone') }]),
    })

    for (const { events } of [await stopped, failed])
      expect(events.map(({ type }) => type)).toEqual(['thinking', 'thought'])
  })

  test('is shown up to a limit, without NUL', async () => {
    const callModel = scriptedModel([{ thinking: `a\0${'b'.repeat(40_000)}`, text: 'Done.' }])

    const { events } = await tellTurn({ callModel })

    const [first] = events
    expect(first?.type === 'thinking' && first.data.text).toBe(`a${'b'.repeat(31_999)}`)
  })

  test('is no message by itself, whoever sends it', () => {
    const reasoning = { type: 'reasoning', reasoning: 'Hm.' }
    const response = { text: '', content: [reasoning], toolUses: [], stopReason: 'end_turn', usage: noUsage }

    expect(normalizeResponse(response, new Set()).content).toEqual([])
    expect(
      repairHistory([
        { role: 'user', content: 'Tea?' },
        { role: 'assistant', content: [reasoning] },
      ]),
    ).toEqual([{ role: 'user', content: 'Tea?' }])
  })
})
