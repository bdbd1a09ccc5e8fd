import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createRegistry } from '../../../lib/ai/agent/registry.ts'
import { propose, search, teaRegistry } from '../tea-house.ts'

describe('the registry', () => {
  it('finds a tool by its name, and nothing by another', () => {
    const registry = teaRegistry()

    expect(registry.getTool('search')?.description).toBe('Find notes by words.')
    expect(registry.getTool('toString')).toBeUndefined()
  })

  it('refuses a name that is taken', () => {
    const registry = teaRegistry()

    expect(() => registry.registerTool({ ...propose, name: 'search' })).toThrow(/already registered/)
    expect(registry.listTools().map((tool) => tool.name)).toEqual(['search', 'propose'])
  })

  it('describes tools as the API takes them, in the order of registration', () => {
    expect(teaRegistry().toAnthropicTools()).toEqual([
      {
        name: 'search',
        description: 'Find notes by words.',
        input_schema: {
          type: 'object',
          properties: { q: { type: 'string' } },
          required: ['q'],
        },
      },
      {
        name: 'propose',
        description: 'Draft a page.',
        input_schema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
      },
    ])
  })

  it('gives the same bytes every time, so that the prompt stays in the cache', () => {
    const registry = teaRegistry()

    expect(JSON.stringify(registry.toAnthropicTools())).toBe(JSON.stringify(registry.toAnthropicTools()))
  })

  it('describes what goes in, not what defaults make of it', () => {
    const registry = createRegistry()
    registry.registerTool({ ...search, input: z.object({ q: z.string().default('tea') }) })

    expect(registry.toAnthropicTools()[0]?.input_schema).not.toHaveProperty('required')
  })

  it.each<[string, z.ZodType]>([
    ['a string', z.string()],
    ['a union', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
  ])('refuses %s as the input of a tool', (_, input) => {
    const tool = { name: 'odd', description: '', capability: 'read', actionClass: 'navigational' } as const

    const register = () => createRegistry().registerTool({ ...tool, input, handler: async () => ({}) })

    expect(register).toThrow(/needs an object/)
  })
})
