import { describe, expect, it, vi } from 'vitest'
import type { ModelMessage } from '../../../lib/ai/model.ts'
import { scriptedOver } from '../../helpers/over-wires.ts'
import { question, searching, teaRegistry, tellTurn } from '../tea-house.ts'

describe.each(scriptedOver)('%s', (way, scriptedModel) => {
  const askForTea = { name: 'search', input: { q: 'tea' } }
  const said = (text: string): ModelMessage => ({ role: 'assistant', content: [{ type: 'text', text }] })

  describe('the model stops', () => {
    it.each(['end_turn', 'stop_sequence'])('with %s: the turn is over', async (stopReason) => {
      const { result } = await tellTurn({ callModel: scriptedModel([{ text: 'Sencha.', stopReason }]) })

      // Chat Completions has one name for both.
      const reason = way === 'over chat' ? 'end_turn' : stopReason
      expect(result).toMatchObject({
        ...{ text: 'Sencha.', stopReason: reason, error: null, stoppedOnGuard: false },
      })
    })

    it.each(['end_turn', null])(
      'with %s beside a tool call: the call is run all the same',
      async (stopReason) => {
        const callModel = scriptedModel([{ tools: [askForTea], stopReason }, { text: 'Sencha.' }])

        const { result } = await tellTurn({ callModel })

        expect(result).toMatchObject({
          text: 'Sencha.',
          toolTrace: [{ status: 'done' }],
          stopReason: 'end_turn',
        })
      },
    )

    it('with nothing to say and nothing to send back: the history stays valid', async () => {
      const { result } = await tellTurn({
        callModel: scriptedModel([{ before: [{ type: 'text', text: ' ' }] }]),
      })

      expect(result).toMatchObject({ messages: [], stopReason: 'error' })
      expect(result.text.trim()).toBe('')
      expect(result.error).toMatchObject({ message: 'The model returned no text.', retryable: true })
    })

    it('with max_tokens in its answer: the answer stays, and the owner hears of it', async () => {
      const callModel = scriptedModel([{ text: 'Sencha is', deltas: 1, stopReason: 'max_tokens' }])

      const { result, events } = await tellTurn({ callModel })

      expect(result).toMatchObject({
        text: 'Sencha is',
        stopReason: 'max_tokens',
        messages: [said('Sencha is')],
      })
      expect(events.at(-1)).toEqual({
        type: 'status',
        data: { message: 'The answer reached the length limit and ends here.' },
      })
    })

    it('with max_tokens in its thinking: the owner is told instead of shown nothing', async () => {
      const before = [{ type: 'thinking', thinking: 'Hmm', signature: 'c2ln' }]

      const { result } = await tellTurn({ callModel: scriptedModel([{ before, stopReason: 'max_tokens' }]) })

      expect(result.text).toMatch(/reached its length limit/)
      expect(result.messages).toEqual([said(result.text)])
    })

    it('with max_tokens in a tool call: that call is never run, and the model may try again', async () => {
      const handler = vi.fn(async ({ q }: { q: string }) => ({ found: q }))
      const tools = [
        { name: 'search', input: { q: 'whole' } },
        { name: 'search', input: { q: 'cut o' } },
      ]
      const callModel = scriptedModel([{ tools, stopReason: 'max_tokens' }, { text: 'Sencha.' }])

      const { result } = await tellTurn({ callModel, registry: teaRegistry(searching(handler)) })

      expect(handler.mock.calls.map(([input]) => input)).toEqual([{ q: 'whole' }])
      expect(result.messages[1]?.content).toMatchObject([
        { tool_use_id: 'toolu_1_1', content: 'whole' },
        { tool_use_id: 'toolu_1_2', is_error: true, content: expect.stringMatching(/not run.*length limit/) },
      ])
      expect(result.stopReason).toBe('end_turn')
    })

    it('with pause_turn: what it has is sent back, and its answer goes on without a gap', async () => {
      const callModel = scriptedModel([{ text: 'Sen', stopReason: 'pause_turn' }, { text: 'cha.' }])

      const { result } = await tellTurn({ callModel })

      expect(result.text).toBe('Sencha.')
      expect(callModel.requests[1]?.messages).toEqual([...question, said('Sen')])
    })

    it('with pause_turn again and again: the limit of calls holds', async () => {
      const callModel = scriptedModel(
        Array.from({ length: 4 }, () => ({ text: 'a', stopReason: 'pause_turn' })),
      )

      const { result } = await tellTurn({ callModel, maxIterations: 3 })

      expect(result).toMatchObject({ stoppedOnGuard: true, stopReason: 'iteration_limit' })
      expect(callModel.requests).toHaveLength(4)
    })

    it('with refusal: it is said in plain words, and neither its calls nor its thinking are carried on', async () => {
      const handler = vi.fn(async () => ({ found: '' }))
      const before = [{ type: 'thinking', thinking: 'No', signature: 'c2ln' }]
      const callModel = scriptedModel([
        { before, text: 'I', deltas: 1, tools: [askForTea], stopReason: 'refusal' },
      ])

      const { result, events, steps } = await tellTurn({
        callModel,
        registry: teaRegistry(searching(handler)),
      })

      const text = 'I\n\nThe model declined to answer this.'
      expect(result).toMatchObject({ text, stopReason: 'refusal', error: null, messages: [said(text)] })
      expect(events.filter(({ type }) => type === 'delta')).toHaveLength(2)
      expect(steps).toMatchObject([{ type: 'message', content: [{ type: 'text', text }] }])
      expect(handler).not.toHaveBeenCalled()
    })

    it('with a reason that nobody knows: the turn ends as usual, and no call is run', async () => {
      const callModel = scriptedModel([{ text: 'Sencha', tools: [askForTea], stopReason: 'tea_break' }])

      const { result } = await tellTurn({ callModel })

      expect(result).toMatchObject({ text: 'Sencha', stopReason: 'tea_break', error: null })
      expect(result.messages[1]?.content).toMatchObject([{ is_error: true }])
    })
  })

  describe('the context of the model is full', () => {
    const full = { stopReason: 'model_context_window_exceeded' }
    const short: ModelMessage[] = [{ role: 'user', content: 'In short: which tea is green?' }]

    it('and is made shorter once', async () => {
      const callModel = scriptedModel([{ tools: [askForTea] }, full, { text: 'Sencha.' }])
      const tooLong: number[] = []
      const compact = async (messages: ModelMessage[]) => {
        tooLong.push(messages.length)
        return short
      }

      const { result, events, steps } = await tellTurn({ callModel, compact })

      expect(tooLong).toEqual([3])
      expect(callModel.requests[2]?.messages).toEqual(short)
      expect(result).toMatchObject({
        text: 'Sencha.',
        compacted: short,
        messages: [said('Sencha.')],
        error: null,
      })
      expect(events).toContainEqual({ type: 'status', data: { message: expect.stringMatching(/too long/) } })
      expect(steps.map((step) => step.type)).toEqual(['message', 'tool_result', 'compaction', 'message'])
    })

    it('in the middle of an answer: the model goes on from there and says nothing twice', async () => {
      const callModel = scriptedModel([{ ...full, text: 'Sencha is' }, { text: ' green.' }])
      const compact = async (messages: ModelMessage[]) => [...short, ...messages.slice(-1)]

      const { result } = await tellTurn({ callModel, compact })

      expect(result.text).toBe('Sencha is green.')
      expect(callModel.requests[1]?.messages).toMatchObject([...short, said('Sencha is'), { role: 'user' }])
    })

    it('a second time: the turn ends with an error', async () => {
      const callModel = scriptedModel([full, full])

      const { result } = await tellTurn({ callModel, compact: async () => short })

      expect(result).toMatchObject({ ...full, error: { code: 'model_bad_request' } })
    })

    it('and nothing can make it shorter: the turn ends with an error that keeps the text', async () => {
      const { result } = await tellTurn({ callModel: scriptedModel([{ ...full, text: 'Sencha' }]) })

      expect(result).toMatchObject({
        ...full,
        text: 'Sencha',
        error: { retryable: false },
        messages: [said('Sencha')],
      })
    })

    it('and making it shorter fails: the turn ends with an error that keeps the cause', async () => {
      const cause = new Error('no summary')

      const { result } = await tellTurn({
        callModel: scriptedModel([full]),
        compact: () => Promise.reject(cause),
      })

      expect(result).toMatchObject({ ...full, error: { cause } })
    })
  })
})
