import { describe, expect, it } from 'vitest'
import { createRegistry, type Tool } from '../../../lib/ai/agent/registry.ts'
import { type CallModel, ModelError, type ModelMessage } from '../../../lib/ai/model.ts'
import type { Citation } from '../../../lib/contract/events/events.ts'
import { scriptedOver } from '../../helpers/over-wires.ts'
import { question, search, tellTurn } from '../tea-house.ts'

describe.each(scriptedOver)('%s', (way, scriptedModel) => {
  const citation: Citation = {
    ...{ n: 1, kind: 'page', id: 'p', title: 'Tea', cited_text: 'Sencha', checked: true },
    ...{ ordinal: null, start: 0, end: 6 },
  }

  const thinking = { type: 'thinking', thinking: 'Sencha is green.', signature: 'c2ln' }
  const running = ({ tool, tool_use_id, args }: { tool: string; tool_use_id: string; args: unknown }) => ({
    ...{ tool, tool_use_id, args },
    status: 'running',
  })
  const askForTea = { name: 'search', input: { q: 'tea' } }

  describe('a turn', () => {
    it('answers without tools', async () => {
      const callModel = scriptedModel([{ text: 'Sencha is.' }])

      const { result, events, steps } = await tellTurn({ callModel })

      expect(result).toEqual({
        text: 'Sencha is.',
        toolTrace: [],
        draftIds: [],
        usage: {
          input_tokens: 10,
          output_tokens: 5,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 0,
        },
        stoppedOnGuard: false,
        stopReason: 'end_turn',
        error: null,
        messages: [{ role: 'assistant', content: [{ type: 'text', text: 'Sencha is.' }] }],
        compacted: null,
      })
      expect(events).toEqual([
        { type: 'delta', data: { text: 'Sench' } },
        { type: 'delta', data: { text: 'a is.' } },
      ])
      expect(steps.map((step) => step.type)).toEqual(['message'])
    })

    it('runs the tools that the model asks for and tells each in order', async () => {
      const callModel = scriptedModel([
        {
          text: 'Let me look.',
          deltas: 1,
          tools: [askForTea, { name: 'propose', input: { title: 'Sencha' } }],
        },
        { text: 'Sencha is.', deltas: 1 },
      ])

      const { result, events } = await tellTurn({ callModel })

      const found = {
        tool: 'search',
        tool_use_id: 'toolu_1_1',
        args: { q: 'tea' },
        status: 'done',
        summary: 'tea: Notes on tea',
        duration_ms: 0,
      }
      const drafted = {
        tool: 'propose',
        tool_use_id: 'toolu_1_2',
        args: { title: 'Sencha' },
        status: 'done',
        summary: 'Draft: Sencha',
        duration_ms: 0,
      }
      const draft = { pending_change_id: 'draft-toolu_1_2', summary: 'Draft: Sencha' }
      expect(events).toEqual([
        { type: 'delta', data: { text: 'Let me look.' } },
        { type: 'tool', data: running(found) },
        { type: 'tool', data: found },
        { type: 'tool', data: running(drafted) },
        { type: 'tool', data: drafted },
        { type: 'draft', data: { ...draft, card: null } },
        { type: 'delta', data: { text: '\n\nSencha is.' } },
      ])
      expect(result).toMatchObject({ draftIds: ['draft-toolu_1_2'], toolTrace: [found, drafted] })
      expect(result.text).toBe('Let me look.\n\nSencha is.')
      expect(result.usage).toMatchObject({ input_tokens: 20, output_tokens: 10 })
    })

    it('carries the blocks of the model back as they came, thinking included', async () => {
      const callModel = scriptedModel([
        { before: [thinking], text: 'Wait.', tools: [askForTea] },
        { text: 'Sencha.' },
      ])

      const { result } = await tellTurn({ callModel })

      const reasoning = { type: 'reasoning', reasoning: thinking.thinking }
      const thought = way === 'over chat' ? reasoning : thinking
      const call = { type: 'tool_use', id: 'toolu_1_1', name: 'search', input: { q: 'tea' } }
      const answered: ModelMessage[] = [
        { role: 'assistant', content: [thought, { type: 'text', text: 'Wait.' }, call] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1_1', content: 'Notes on tea' }],
        },
      ]
      expect(callModel.requests[1]?.messages).toEqual([...question, ...answered])
      expect(result.messages.slice(0, 2)).toEqual(answered)
    })

    it('does not change the history it was given', async () => {
      const messages = structuredClone(question)

      await tellTurn({ callModel: scriptedModel([{ tools: [askForTea] }, { text: 'Sencha.' }]), messages })

      expect(messages).toEqual(question)
    })

    it('waits for each step to be stored before it begins the next', async () => {
      const log: string[] = []
      const script = scriptedModel([{ tools: [askForTea, askForTea] }, { text: 'Sencha.' }])
      const callModel: CallModel = (request) => {
        log.push(`call ${script.requests.length + 1}`)
        return script(request)
      }

      await tellTurn({
        callModel,
        onEvent: ({ type, data }) =>
          type === 'tool' && data.status === 'running' && log.push(`run ${data.tool_use_id}`),
        onStep: async (step) => {
          log.push(`storing ${step.type}`)
          await new Promise(setImmediate)
          log.push('stored')
        },
      })

      expect(log).toEqual([
        ...['call 1', 'storing message', 'stored'],
        ...['run toolu_1_1', 'storing tool_result', 'stored'],
        ...['run toolu_1_2', 'storing tool_result', 'stored'],
        ...['call 2', 'storing message', 'stored'],
      ])
    })

    it('ends at once when a step cannot be stored', async () => {
      const callModel = scriptedModel([{ tools: [askForTea] }])
      const onStep = async () => {
        throw new Error('The lease is lost')
      }

      await expect(tellTurn({ callModel, onStep })).rejects.toThrow('The lease is lost')
    })

    it('tells text that a model did not stream', async () => {
      const { events } = await tellTurn({
        callModel: async () => ({
          text: 'Sencha.',
          content: [{ type: 'text', text: 'Sencha.' }],
          toolUses: [],
          stopReason: 'end_turn',
          usage: {
            input_tokens: 1,
            output_tokens: 1,
            cache_creation_input_tokens: 0,
            cache_read_input_tokens: 0,
          },
        }),
      })

      expect(events).toEqual([{ type: 'delta', data: { text: 'Sencha.' } }])
    })

    it('tells no NUL, which no database takes', async () => {
      const { result, events } = await tellTurn({
        callModel: scriptedModel([{ text: 'Sen\0cha', deltas: 1 }]),
      })

      expect(result.text).toBe('Sencha')
      expect(events).toEqual([{ type: 'delta', data: { text: 'Sencha' } }])
      expect(result.messages).toEqual([{ role: 'assistant', content: [{ type: 'text', text: 'Sencha' }] }])
    })

    it('passes on what the model says about waiting', async () => {
      const { events } = await tellTurn({
        callModel: scriptedModel([{ status: ['Trying again.'], text: 'Tea.', deltas: 1 }]),
      })

      expect(events).toEqual([
        { type: 'status', data: { message: 'Trying again.' } },
        { type: 'delta', data: { text: 'Tea.' } },
      ])
    })

    it('goes on where a crash left it: answered calls are not run again', async () => {
      const first = await tellTurn({
        callModel: scriptedModel([{ tools: [askForTea, askForTea] }, { text: 'Lost.' }]),
      })
      const [assistant] = first.result.messages
      const [, stored] = first.steps
      if (!assistant || stored?.type !== 'tool_result') throw new Error('No step to go on from')
      const callModel = scriptedModel([{ text: 'Sencha.' }])

      const { result, events } = await tellTurn({
        callModel,
        messages: [...question, assistant, { role: 'user', content: [stored.result] }],
      })

      expect(events.flatMap(({ type, data }) => (type === 'tool' ? data.tool_use_id : []))).toEqual([
        'toolu_1_2',
        'toolu_1_2',
      ])
      expect(callModel.requests[0]?.messages).toEqual([...question, ...first.result.messages.slice(0, 2)])
      expect(result.messages[0]).toEqual(first.result.messages[1])
    })

    it('emits the draft of any tool whose result names a pending change, with its card', async () => {
      const registry = createRegistry()
      const card = { pending_change_id: 'draft-9', summary: 'Create page “Sencha”' }
      const { name, description, input, capability, actionClass } = search
      const plain: Tool<{ q: string }, object> = {
        ...{ name, description, input, capability, actionClass },
        handler: async () => ({ pending_change_id: 'draft-9', card }),
      }
      registry.registerTool(plain)

      const { result, events } = await tellTurn({
        registry,
        callModel: scriptedModel([{ tools: [askForTea] }, { text: 'Drafted.' }]),
      })

      expect(result.draftIds).toEqual(['draft-9'])
      expect(events.find(({ type }) => type === 'draft')).toEqual({
        type: 'draft',
        data: { pending_change_id: 'draft-9', summary: 'Create page “Sencha”', card },
      })
    })

    it('emits the citations of a message before it is stored, and drops an effect that the host refuses', async () => {
      const log: string[] = []
      const script = scriptedModel([
        { tools: [{ name: 'propose', input: { title: 'Sencha' } }] },
        { text: 'Sencha.' },
      ])
      const offsets: number[] = []

      const { events } = await tellTurn({
        callModel: script,
        admitEffect: async () => false,
        readCitations: async (_content, offset) => {
          offsets.push(offset)
          return offset === 0 && log.push('read') > 0 ? [citation] : []
        },
        onStep: async ({ type }) => void log.push(type),
      })

      expect(log.slice(0, 2)).toEqual(['read', 'message'])
      expect(offsets).toEqual([0, 0])
      expect(events.filter(({ type }) => type === 'citation')).toHaveLength(2)
      expect(events.filter(({ type }) => type === 'effect')).toEqual([])
    })

    it('keeps what was said when the model fails, and says why it failed', async () => {
      const error = new ModelError('model_unreachable', 'The connection broke.', { retryable: true })

      const { result } = await tellTurn({ callModel: scriptedModel([{ text: 'Sencha is', error }]) })

      expect(result).toMatchObject({ text: 'Sencha is', stopReason: 'error', error })
      expect(result.messages).toEqual([{ role: 'assistant', content: [{ type: 'text', text: 'Sencha is' }] }])
    })

    it('hides what failed on our side behind a neutral sentence, and keeps the cause', async () => {
      const error = new TypeError('x is not a function')

      const { result } = await tellTurn({ callModel: scriptedModel([{ error }]) })

      expect(result.error).toMatchObject({ code: 'model_failed', cause: error })
      expect(result.error?.message).not.toContain('function')
    })
  })
})
