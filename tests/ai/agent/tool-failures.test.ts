import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createRegistry, type Tool } from '../../../lib/ai/agent/registry.ts'
import { notFound } from '../../../lib/core/errors.ts'
import { scriptedOver } from '../../helpers/over-wires.ts'
import {
  leaf,
  propose,
  search,
  searching,
  type Told,
  teaContext,
  teaRegistry,
  tellTurn,
} from '../tea-house.ts'

describe.each(scriptedOver)('%s', (way, scriptedModel) => {
  const call = { name: 'search', input: { q: 'tea' } as unknown }

  /** A turn whose first message makes one call, and whose second ends it. */
  async function callOnce(
    over: Partial<typeof call>,
    options: Partial<Parameters<typeof tellTurn>[0]> = {},
  ): Promise<Told> {
    const callModel = scriptedModel([{ tools: [{ ...call, ...over }] }, { text: 'Done.' }])
    const told = await tellTurn({ callModel, ...options })
    expect(told.result).toMatchObject({ stopReason: 'end_turn', text: 'Done.', error: null })
    expect(callModel.requests[1]?.messages).toHaveLength((options.messages?.length ?? 1) + 2)
    return told
  }

  /** What the model was told, and whether as an error. */
  function answerOf({ result }: Told): { content: unknown; is_error: boolean } {
    const blocks = result.messages[1]?.content
    const block = typeof blocks === 'string' ? undefined : blocks?.[0]
    if (block?.type !== 'tool_result' || !('content' in block)) throw new Error('There is no tool result')
    return { content: block.content, is_error: block.is_error === true }
  }

  const failing = (handler: typeof search.handler) => ({ registry: teaRegistry(searching(handler)) })

  describe('a tool that fails is a result that the model can read', () => {
    it('when it returns an error', async () => {
      const told = await callOnce(
        {},
        failing(async () => ({ error: 'Nothing there. Try "sencha".' })),
      )

      expect(answerOf(told)).toEqual({ content: 'Nothing there. Try "sencha".', is_error: true })
      expect(told.result.toolTrace[0]).toMatchObject({
        status: 'error',
        summary: 'Nothing there. Try "sencha".',
      })
    })

    it('when it throws an error that is meant to be shown', async () => {
      const told = await callOnce(
        {},
        failing(async () => Promise.reject(notFound('page', 'p-1'))),
      )

      expect(answerOf(told)).toEqual({ content: 'There is no page p-1.', is_error: true })
      expect(told.toolErrors).toEqual([])
    })

    it('when it throws anything else, which only the log gets to see', async () => {
      const bug = new Error('password authentication failed for user "void"')

      const told = await callOnce(
        {},
        failing(async () => Promise.reject(bug)),
      )

      expect(answerOf(told)).toEqual({
        content: expect.stringContaining('The tool search failed'),
        is_error: true,
      })
      expect(JSON.stringify(told.result)).not.toContain('password')
      expect(told.events.map((event) => event.type)).toEqual(['tool', 'tool', 'delta', 'delta'])
      expect(told.toolErrors).toEqual([bug])
    })

    it('when it throws before it gives a promise, or throws no error at all', async () => {
      const options = failing(() => {
        throw null
      })

      expect(answerOf(await callOnce({}, options)).is_error).toBe(true)
    })

    it('when its arguments are wrong: the field is named and nothing runs', async () => {
      let ran = false
      const options = failing(async () => {
        ran = true
        return { found: '' }
      })

      const { content, is_error } = answerOf(await callOnce({ input: { q: 7 } }, options))

      expect(is_error).toBe(true)
      expect(content).toMatch(/not valid, so nothing was done.*\n- q: must be a string/s)
      expect(ran).toBe(false)
    })

    it.each([
      ['a list', [1]],
      ['a number', 3],
    ])('when its arguments are %s', async (_, input) => {
      const { content, is_error } = answerOf(await callOnce({ input }))

      expect(is_error).toBe(true)
      expect(content).toMatch(/JSON object/)
    })

    it('when its arguments were never JSON: the model is shown what it wrote', async () => {
      const told = await callOnce({ input: '{"q": "te' })

      expect(answerOf(told)).toEqual({
        content: 'The arguments are not a valid JSON object: {"q": "te',
        is_error: true,
      })
      const sentBack = way === 'directly' ? 'not_an_object' : 'invalid_json'
      expect(told.result.messages[0]?.content).toMatchObject([{ input: { [sentBack]: '{"q": "te' } }])
    })

    it('when there is no such tool: the model is told which ones there are', async () => {
      const { content } = answerOf(await callOnce({ name: 'brew' }))

      expect(content).toBe('There is no tool "brew". The tools are: search, propose.')
    })

    it('when the name of the tool could not even be sent back', async () => {
      const told = await callOnce({ name: 'brew tea!' })

      expect(told.result.messages[0]?.content).toMatchObject([{ type: 'tool_use', name: 'unknown_tool' }])
      expect(told.result.toolTrace[0]).toMatchObject({ tool: 'brew tea!', status: 'error' })
    })

    it('when checking the arguments throws', async () => {
      const registry = createRegistry()
      const input = z.object({ q: z.string() }).refine(() => {
        throw new Error('a broken rule')
      })
      registry.registerTool({ ...search, input })

      expect(answerOf(await callOnce({}, { registry })).is_error).toBe(true)
    })
  })

  describe('a call that is not allowed', () => {
    const input = { title: 'Sencha' }
    const actorWith = (over: Partial<typeof leaf.capabilities>) =>
      teaContext({ actor: { ...leaf, capabilities: { ...leaf.capabilities, ...over } } })

    it('is denied to a reader without the right to read', async () => {
      expect(answerOf(await callOnce({}, { ctx: actorWith({ read: false }) })).content).toMatch(/^Denied/)
    })

    it('is denied to an agent that may not suggest', async () => {
      const told = await callOnce({ name: 'propose', input }, { ctx: actorWith({ suggest: false }) })

      expect(answerOf(told)).toEqual({ content: expect.stringMatching(/^Denied/), is_error: true })
      expect(told.result.draftIds).toEqual([])
    })

    it('is denied to one that may write and not suggest: writing grants nothing', async () => {
      const told = await callOnce(
        { name: 'propose', input },
        { ctx: actorWith({ suggest: false, write: true }) },
      )

      expect(answerOf(told).content).toMatch(/^Denied/)
    })

    it('is denied in a Space that the agent may not enter', async () => {
      expect(answerOf(await callOnce({}, { ctx: teaContext({ space_id: 'coffee-house' }) })).content).toMatch(
        /^Denied/,
      )
    })

    it('is allowed where the agent may suggest', async () => {
      expect((await callOnce({ name: 'propose', input })).result.draftIds).toEqual(['draft-toolu_1_1'])
    })
  })

  describe('what a tool is given', () => {
    const seen: unknown[] = []
    const spy: Tool<Record<string, unknown>, string> = {
      name: 'search',
      description: '',
      input: z.record(z.string(), z.unknown()),
      capability: 'read',
      actionClass: 'navigational',
      handler: async (input, ctx) => {
        seen.push(input, ctx.tool_use_id)
        return 'seen'
      },
    }

    it('is free of NUL and of half characters, however deep, and so is what is sent back', async () => {
      const registry = createRegistry()
      registry.registerTool(spy)

      const told = await callOnce({ input: { 'k\0': ['a\0b', { deep: 'x\uD83D' }] } }, { registry })

      expect(seen).toEqual([{ k: ['ab', { deep: 'x\uFFFD' }] }, 'toolu_1_1'])
      expect(JSON.stringify(told.result.messages)).not.toMatch(/\\ud83d/i)
    })

    it('is cut off where it is nested so deep that no one could send it back', async () => {
      const deep = JSON.parse(`${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`)

      const told = await callOnce({ input: deep })

      expect(answerOf(told).is_error).toBe(true)
      expect(JSON.stringify(told.result.messages)).toContain('[nested too deeply]')
    })

    it('has an id of its own even when the model gave two calls the same one, or none', async () => {
      const uses = ['same', 'same', '', 'not an id'].map((id) => ({
        name: 'search',
        input: { q: id || 'empty' },
        id,
      }))
      const callModel = scriptedModel([{ tools: uses }, { text: 'Done.' }])

      const { result } = await tellTurn({ callModel })

      expect(result.toolTrace.map((entry) => [entry.tool_use_id, entry.args])).toEqual([
        ['same', { q: 'same' }],
        ['same_2', { q: 'same' }],
        [way === 'over chat' ? 'call_3' : 'call', { q: 'empty' }],
        [way === 'over chat' ? 'call' : 'call_2', { q: 'not an id' }],
      ])
      expect(result.messages[1]?.content).toHaveLength(4)
    })

    it('has an id that no earlier turn has used', async () => {
      const first = await callOnce({})
      const messages = [
        { role: 'user' as const, content: 'Tea?' },
        ...first.result.messages,
        ...[{ role: 'user' as const, content: 'And?' }],
      ]

      const told = await callOnce({}, { messages })

      expect(told.result.toolTrace[0]?.tool_use_id).toBe('toolu_1_1_2')
    })
  })

  describe('telling of a call that has had its effect', () => {
    it('never turns it into a failure, which the model would try to mend by doing it again', async () => {
      const registry = createRegistry()
      const broken = () => {
        throw new Error('cannot tell')
      }
      registry.registerTool({ ...propose, render: broken, summarize: broken, target: broken })

      const told = await callOnce({ name: 'propose', input: { title: 'Sencha' } }, { registry })

      expect(answerOf(told)).toEqual({ content: 'Done, but the result cannot be shown.', is_error: false })
      expect(told.result.draftIds).toEqual(['draft-toolu_1_1'])
      expect(told.toolErrors).toHaveLength(3)
    })

    it('gives the model something to read when the tool returns nothing', async () => {
      const registry = createRegistry()
      registry.registerTool({ ...search, handler: async () => ({ found: ' ' }) })

      expect(answerOf(await callOnce({}, { registry })).content).toBe('The tool returned nothing.')
    })
  })
})
