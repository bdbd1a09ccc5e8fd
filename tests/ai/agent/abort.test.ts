import { describe, expect, it } from 'vitest'
import { scriptedModel } from '../../helpers/scripted-model.ts'
import { searching, teaContext, teaRegistry, tellTurn } from '../tea-house.ts'

const askForTea = { name: 'search', input: { q: 'tea' } }

describe('stopping a turn', () => {
  it('before it begins calls nothing', async () => {
    const callModel = scriptedModel([{ text: 'Never.' }])

    const { result } = await tellTurn({ callModel, signal: AbortSignal.abort() })

    expect(result).toMatchObject({ text: '', stopReason: 'aborted', error: null, messages: [] })
    expect(callModel.requests).toHaveLength(0)
  })

  it('in the middle of an answer keeps what was said', async () => {
    const stop = new AbortController()
    const callModel = scriptedModel([{ text: 'Sencha is', deltas: 1, hang: true }])

    const { result, steps } = await tellTurn({ callModel, signal: stop.signal, onEvent: () => stop.abort() })

    expect(result).toMatchObject({ text: 'Sencha is', stopReason: 'aborted', stoppedOnGuard: false })
    expect(result.messages).toEqual([{ role: 'assistant', content: [{ type: 'text', text: 'Sencha is' }] }])
    expect(steps).toEqual([])
  })

  it('works through the signal of the context as well', async () => {
    const stop = new AbortController()
    const callModel = scriptedModel([{ text: 'Sencha', deltas: 1, hang: true }])

    const { result } = await tellTurn({
      callModel,
      ctx: teaContext({ signal: stop.signal }),
      onEvent: () => stop.abort(),
    })

    expect(result.stopReason).toBe('aborted')
  })

  it('does not wait for a model that does not listen, nor for what it says later', async () => {
    const stop = new AbortController()
    let saySomething = (_: string) => {}

    const { result, events } = await tellTurn({
      callModel: ({ onTextDelta = () => {} }) => {
        saySomething = onTextDelta
        setImmediate(() => stop.abort())
        return new Promise(() => {})
      },
      signal: stop.signal,
    })
    saySomething('Too late')

    expect(result).toMatchObject({ text: '', stopReason: 'aborted' })
    expect(events).toEqual([])
  })

  it('in the middle of a tool answers every call, so that the history stays valid', async () => {
    const stop = new AbortController()
    let given: AbortSignal | undefined
    const registry = teaRegistry(
      searching((_, ctx) => {
        given = ctx.signal
        stop.abort()
        return new Promise(() => {})
      }),
    )
    const callModel = scriptedModel([{ tools: [askForTea, askForTea] }, { text: 'Never.' }])

    const { result, steps, events } = await tellTurn({ callModel, registry, signal: stop.signal })

    expect(given?.aborted).toBe(true)
    expect(result.stopReason).toBe('aborted')
    expect(result.messages[1]?.content).toMatchObject([
      { tool_use_id: 'toolu_1_1', is_error: true, content: /stopped before this call had finished/ },
      { tool_use_id: 'toolu_1_2', is_error: true, content: /stopped before this call was run/ },
    ])
    expect(events.flatMap(({ type, data }) => (type === 'tool' ? data.status : []))).toEqual([
      'running',
      'error',
      'running',
      'error',
    ])
    expect(steps.map((step) => step.type)).toEqual(['message'])
  })

  it('between two steps begins no other', async () => {
    const stop = new AbortController()
    const callModel = scriptedModel([{ tools: [askForTea] }, { text: 'Never.' }])

    const { result } = await tellTurn({
      callModel,
      signal: stop.signal,
      onStep: async (step) => void (step.type === 'tool_result' && stop.abort()),
    })

    expect(result).toMatchObject({ stopReason: 'aborted', toolTrace: [{ status: 'done' }] })
    expect(callModel.requests).toHaveLength(1)
  })
})
