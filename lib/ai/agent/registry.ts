// The tools that an agent can be offered. Adding one is an import and a `registerTool`; nothing else knows the list.

import { z } from 'zod'
import type { Capabilities } from '../../core/actor.ts'
import type { ModelTool } from '../model.ts'
import type { Tool } from './tool.ts'

export type ToolRegistry = {
  /** Throws if the name is taken, or if the input is not an object that JSON Schema can describe. */
  registerTool<Input, Result>(tool: Tool<Input, Result>): void
  getTool(name: string): Tool | undefined
  listTools(): Tool[]
  /**
   * The tools in the form of the Messages API, in the order of registration. Order and text are the same from call to
   * call, so that this prefix of the prompt stays in the provider's cache.
   */
  toAnthropicTools(): ModelTool[]
  /** The tools that are offered to this audience. */
  offeredTo(whom: 'companion' | 'agents'): ToolRegistry
  /**
   * The tools of a companion: those it is given (`null`: all) that its capabilities allow and whose services are
   * connected. Default: everything is connected.
   */
  ofCompanion(companion: CompanionTools, connected?: Connected): ToolRegistry
}

type CompanionTools = { tools: readonly string[] | null; capabilities: Capabilities }
type Connected = Readonly<Record<NonNullable<Tool['needs']>, boolean>>
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
    ofCompanion({ tools: given, capabilities }, connected = { mail: true, sources: true }) {
      const usable = [...tools.values()].filter(
        ({ tool }) =>
          (tool.capability === 'read' || capabilities.suggest) && (!tool.needs || connected[tool.needs]),
      )
      const chosen = usable.filter(({ tool }) => given?.includes(tool.name) ?? true)
      // Never empty: without any tool, the calls in the history would be of unknown tools.
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

/** Marks a field that is accepted but not offered: a former name, or another form of an offered one. */
export const notOffered = { offered: false } as const

type Schema = z.core.JSONSchema.BaseSchema

/**
 * Every call sends the schemas, so they contain only what a model needs: the format of an id without its pattern, and no
 * bounds that calls never reach (the tool enforces them anyway). An optional list is required and may be empty, because
 * some providers refuse optional arrays.
 */
function shorten({ jsonSchema }: { jsonSchema: Schema }): void {
  if (jsonSchema.format) delete jsonSchema.pattern
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  for (const key of ['maxLength', 'maxItems', 'propertyNames'] as const) delete jsonSchema[key]
  if (Object.keys(Object(jsonSchema.additionalProperties ?? 0)).length === 0)
    delete jsonSchema.additionalProperties
  for (const [name, property] of Object.entries(jsonSchema.properties ?? {})) {
    if (typeof property !== 'object') continue
    if (property.offered === false) delete jsonSchema.properties?.[name]
    else if (property.type === 'array' && property.default) {
      delete property.default
      jsonSchema.required = [...(jsonSchema.required ?? []), name]
    }
  }
}

function toWire<Input, Result>(tool: Tool<Input, Result>): ModelTool {
  const { $schema, ...schema } = z.toJSONSchema(tool.input, { io: 'input', override: shorten })
  if (schema.type !== 'object') {
    throw new Error(`Tool "${tool.name}" needs an object as its input, not ${schema.type ?? 'a union'}`)
  }
  return { name: tool.name, description: tool.description, input_schema: schema }
}
