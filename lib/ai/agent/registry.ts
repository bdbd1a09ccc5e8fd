// The tools that one agent may be offered. Adding one is an import and a `registerTool`; nothing else knows the list.

import { z } from 'zod'
import type { Capabilities } from '../../actor.ts'
import type { ModelTool } from '../model.ts'
import type { Tool } from './tool.ts'

export type ToolRegistry = {
  /** Throws when the name is taken, or when the input is no object that JSON Schema can describe. */
  registerTool<Input, Result>(tool: Tool<Input, Result>): void
  getTool(name: string): Tool | undefined
  listTools(): Tool[]
  /**
   * The tools as the Messages API takes them, in the order of registration. The order and the text are the same from
   * call to call, so that the prompt prefix they make up stays in the provider's cache.
   */
  toAnthropicTools(): ModelTool[]
  /** Those that say they are offered to them. */
  offeredTo(whom: 'companion' | 'agents'): ToolRegistry
  /** Those of a companion: of the ones it is given (`null`: all), what its capabilities let it use. */
  ofCompanion(companion: { tools: readonly string[] | null; capabilities: Capabilities }): ToolRegistry
}

type Entry = { tool: Tool; wire: ModelTool }

export function createRegistry(entries: readonly Entry[] = []): ToolRegistry {
  const tools = new Map<string, Entry>(entries.map((entry) => [entry.tool.name, entry]))

  return {
    registerTool(tool) {
      if (tools.has(tool.name)) throw new Error(`Tool "${tool.name}" is already registered`)
      tools.set(tool.name, { tool: forget(tool), wire: toWire(tool) })
    },
    getTool: (name) => tools.get(name)?.tool,
    listTools: () => [...tools.values()].map((entry) => entry.tool),
    toAnthropicTools: () => [...tools.values()].map((entry) => entry.wire),
    offeredTo(whom) {
      const offered = [...tools.values()].filter(({ tool: { offered = 'companion' } }) =>
        ['both', whom].includes(offered),
      )
      return createRegistry(offered)
    },
    ofCompanion({ tools: given, capabilities }) {
      const usable = [...tools.values()].filter(
        ({ tool }) => tool.capability === 'read' || capabilities.suggest,
      )
      const chosen = usable.filter(({ tool }) => given?.includes(tool.name) ?? true)
      // With none the history’s calls would be of unknown tools: a turn always has something to look with.
      return createRegistry(chosen.length > 0 ? chosen : usable)
    },
  }
}

/**
 * The tool without its own input and result types, which no list could hold together. The one cast here is sound
 * because the runtime hands a handler only what the same tool's `input` has parsed, and `render` and its kin only what
 * the same handler returned.
 */
function forget<Input, Result>(tool: Tool<Input, Result>): Tool {
  return tool as Tool<unknown, unknown>
}

/** The format says it in a word; the pattern of an id alone is fifty tokens. */
function leaveOutPattern({ jsonSchema }: { jsonSchema: { format?: unknown; pattern?: unknown } }): void {
  if (jsonSchema.format) delete jsonSchema.pattern
}

function toWire<Input, Result>(tool: Tool<Input, Result>): ModelTool {
  const { $schema, ...schema } = z.toJSONSchema(tool.input, { io: 'input', override: leaveOutPattern })
  if (schema.type !== 'object') {
    throw new Error(`Tool "${tool.name}" needs an object as its input, not ${schema.type ?? 'a union'}`)
  }
  return { name: tool.name, description: tool.description, input_schema: schema }
}
