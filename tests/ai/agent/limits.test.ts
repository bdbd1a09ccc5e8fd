import { describe, expect, it } from 'vitest'
import type { TurnResult } from '../../../lib/ai/agent/runtime.ts'
import { noUsage } from '../../../lib/ai/model.ts'
import { scriptedOver } from '../../helpers/over-wires.ts'
import { searching, teaRegistry, tellTurn } from '../tea-house.ts'

describe.each(scriptedOver)('%s', (way, scriptedModel) => {
  const askForTea = { name: 'search', input: { q: 'tea' } }
  /** The UTF-8 bytes of each tool result that the model was given. */
  const resultSizes = ({ messages }: TurnResult) =>
    messages
      .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
      .flatMap((block) => (block.type === 'tool_result' ? [Buffer.byteLength(String(block.content))] : []))
  const asking = (count: number) => Array.from({ length: count }, () => ({ tools: [askForTea] }))

  describe('the limit of calls', () => {
    it('ends with an answer from what was found, asked for without tools', async () => {
      const callModel = scriptedModel([...asking(2), { text: 'Sencha, I think.' }])

      const { result } = await tellTurn({ callModel, maxIterations: 2 })

      expect(result).toMatchObject({
        text: 'Sencha, I think.',
        stoppedOnGuard: true,
        stopReason: 'iteration_limit',
      })
      expect(result.toolTrace).toHaveLength(2)
      const last = callModel.requests[2]
      expect(last?.tools).toEqual([])
      expect(last?.withheldTools?.map((tool) => tool.name)).toEqual(['search', 'propose'])
      expect(last?.messages.at(-1)?.content).toMatchObject([
        { type: 'tool_result' },
        { text: /all tool calls/ },
      ])
    })

    it('is six when nothing else is said', async () => {
      const callModel = scriptedModel([...asking(6), { text: 'Sencha.' }])

      expect((await tellTurn({ callModel })).result.toolTrace).toHaveLength(6)
    })

    it('counts every call of a message: of a hundred, thirty-two are run and each is answered', async () => {
      const tools = Array.from({ length: 100 }, () => askForTea)
      const callModel = scriptedModel([{ tools }, { text: 'Sencha.' }])

      const { result } = await tellTurn({ callModel })

      const statuses = result.toolTrace.map(({ status }) => status)
      expect(statuses.slice(0, 32).every((status) => status === 'done')).toBe(true)
      expect(statuses.slice(32)).toEqual(Array(68).fill('error'))
      expect(JSON.stringify(result.messages)).toContain('a turn may make 32 calls')
    })

    it('leaves no trace of that last request in the history', async () => {
      const callModel = scriptedModel([...asking(1), { text: 'Sencha.' }])

      const { result } = await tellTurn({ callModel, maxIterations: 1 })

      expect(JSON.stringify(result.messages)).not.toContain('all tool calls')
    })

    it('says why it stops when the model asks for a tool even then', async () => {
      const callModel = scriptedModel(asking(2))

      const { result } = await tellTurn({ callModel, maxIterations: 1 })

      expect(result).toMatchObject({ stoppedOnGuard: true, stopReason: 'iteration_limit', error: null })
      expect(result.text).toMatch(/^I stopped here, because the tool calls/)
      expect(result.toolTrace).toHaveLength(1)
      expect(result.messages.at(-1)).toEqual({
        role: 'assistant',
        content: [{ type: 'text', text: result.text }],
      })
    })

    it('keeps the text so far when that last call fails', async () => {
      const callModel = scriptedModel([
        { text: 'Let me look.', tools: [askForTea] },
        { error: new Error('down') },
      ])

      const { result } = await tellTurn({ callModel, maxIterations: 1 })

      expect(result).toMatchObject({
        text: 'Let me look.',
        stoppedOnGuard: true,
        error: { code: 'model_failed' },
      })
    })
  })

  describe('the limit of tokens', () => {
    it('counts what was read from the cache too, and ends before the next call', async () => {
      const usage = { input_tokens: 10, cache_read_input_tokens: 80, output_tokens: 10 }
      const callModel = scriptedModel([{ tools: [askForTea], usage }, { text: 'Never asked.' }])

      const { result } = await tellTurn({ callModel, limits: { totalTokens: 100 } })

      expect(callModel.requests).toHaveLength(1)
      expect(result).toMatchObject({ stoppedOnGuard: true, stopReason: 'token_limit' })
      expect(result.text).toMatch(/used its 100 tokens/)
    })
  })

  describe('the limit of time', () => {
    it('is looked at before each call', async () => {
      let time = 0
      const registry = teaRegistry(
        searching(async () => {
          time = 60_000
          return { found: 'Slowly' }
        }),
      )
      const callModel = scriptedModel(asking(1))

      const { result } = await tellTurn({
        callModel,
        registry,
        now: () => time,
        limits: { wallClockMs: 60_000 },
      })

      expect(result).toMatchObject({ stoppedOnGuard: true, stopReason: 'time_limit' })
      expect(result.toolTrace).toMatchObject([{ duration_ms: 60_000, status: 'done' }])
      expect(result.text).toMatch(/taken its 1 min/)
    })

    it('breaks off a call of the model that does not come back', async () => {
      const callModel = scriptedModel([{ text: 'Sencha', hang: true }])

      const { result } = await tellTurn({ callModel, limits: { wallClockMs: way === 'directly' ? 5 : 300 } })

      expect(result).toMatchObject({ stoppedOnGuard: true, stopReason: 'time_limit', error: null })
      expect(result.text).toMatch(/^Sencha\n\nI stopped here/)
    })
  })

  describe('the limit of what a turn holds in all', () => {
    const limits = { turnBytes: 100_000 }

    it('breaks off a model that does not stop talking, and keeps what fits', async () => {
      const text = 'ü'.repeat(30_000)
      const callModel = scriptedModel([{ text: text + text, deltas: 60, hang: true }])

      const { result } = await tellTurn({ callModel, limits })

      expect(result).toMatchObject({ stoppedOnGuard: true, stopReason: 'size_limit', error: null })
      const [said = '', why] = result.text.split('\n\n')
      expect(Buffer.byteLength(said)).toBeLessThanOrEqual(limits.turnBytes)
      expect(said.length).toBeGreaterThan(45_000)
      expect(why).toMatch(/^I stopped here, because this turn holds 0.1 MB/)
      expect(result.messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ text: why }] })
    })

    it('counts calls and thinking too: a message that is too large is stored nowhere', async () => {
      const callModel = scriptedModel([
        { text: 'Let me see.', tools: [{ name: 'search', input: { q: 'x'.repeat(200_000) } }] },
      ])

      const { result } = await tellTurn({ callModel, limits })

      expect(result).toMatchObject({ stopReason: 'size_limit', toolTrace: [] })
      expect(Buffer.byteLength(JSON.stringify(result.messages))).toBeLessThan(1000)
      expect(result.text).toMatch(/^Let me see/)
    })

    it('counts what earlier attempts stored', async () => {
      const callModel = scriptedModel([{ text: 'x'.repeat(2000), hang: true }])
      const earlier = { usage: noUsage, modelCalls: 1, stopReason: null, continuing: false, bytes: 99_000 }

      const { result } = await tellTurn({ callModel, limits, earlier })

      expect(result.stopReason).toBe('size_limit')
    })

    it('lets a turn of six calls with full results through', async () => {
      const registry = teaRegistry(searching(async () => ({ found: 'ü'.repeat(20_000) })))
      const callModel = scriptedModel([...asking(6), { text: 'Sencha.' }])

      expect((await tellTurn({ callModel, registry })).result.stopReason).toBe('iteration_limit')
    })
  })

  describe('the limit of tool output', () => {
    const long = teaRegistry(searching(async () => ({ found: 'ü'.repeat(2000) })))

    it('cuts one result between characters and says so', async () => {
      const callModel = scriptedModel([...asking(1), { text: 'Done.' }])

      const { result } = await tellTurn({ callModel, registry: long, limits: { resultBytes: 1025 } })

      const [block] = Array.isArray(result.messages[1]?.content) ? result.messages[1].content : []
      expect(block).toMatchObject({
        content: expect.stringMatching(/^ü{512}\n\n\[Cut: this result has 4000 bytes/),
      })
      expect(resultSizes(result)[0]).toBeLessThan(1200)
    })

    it('is shared by the calls of a turn, and always leaves room for a short result', async () => {
      const callModel = scriptedModel([
        ...asking(2),
        { tools: [{ name: 'propose', input: { title: 'Sencha' } }] },
        { text: 'Done.' },
      ])

      const { result } = await tellTurn({ callModel, registry: long, limits: { turnResultBytes: 4000 } })

      const [first, second, draft] = resultSizes(result)
      expect(first).toBe(4000)
      expect(second).toBeLessThan(1200)
      expect(draft).toBe(56)
    })
  })
})
