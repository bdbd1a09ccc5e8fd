// What a tool is, and the tools that an agent can be offered. A tool file exports one `Tool`; the registry holds it; the
// runtime runs it. A tool knows neither Express nor SQL: it reaches the Space through `ctx.services`. Adding one is an
// import and a `registerTool`; nothing else knows the list.

import { z } from 'zod'
import type { Given } from '../../changes/grounding/provenance.ts'
import type { Viewed } from '../../contract/companion/open-desk.ts'
import type { Correction, Within } from '../../contract/correct-fields.ts'
import type { Effect } from '../../contract/events/effects.ts'
import type { DraftEvent } from '../../contract/events/events.ts'
import type { Actor, Capabilities } from '../../core/actor.ts'
import type { GivenSource } from '../../db/repos/turn_steps.ts'
import type { ModelTool, ToolResultBlock } from '../model.ts'
import type { ToolServices } from './services.ts'

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

/** Marks a field whose values are not listed in the schema, because the results that a call comes from name them. */
export const notListed = { listed: false } as const

type Schema = z.core.JSONSchema.BaseSchema

const bounds = [
  ...(['format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'] as const),
  'propertyNames' as const,
]

/** Every call sends the schemas, so they contain only what a model needs: no bounds and formats, which tools enforce. */
function shorten({ jsonSchema }: { jsonSchema: Schema }): void {
  for (const key of bounds) delete jsonSchema[key]
  if (Object.keys(Object(jsonSchema.additionalProperties ?? 0)).length === 0)
    delete jsonSchema.additionalProperties
  for (const [name, property] of Object.entries(jsonSchema.properties ?? {})) {
    if (typeof property !== 'object') continue
    if (property.offered === false) delete jsonSchema.properties?.[name]
    if (property.listed === false) {
      delete property.enum
      delete property.listed
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

/** `read` reads, `create` and `write` draft; the actor's capabilities decide whether the call is allowed. */
type ToolCapability = 'read' | 'write' | 'create'

/** How a call is shown: silently, with a notice, or as a card that asks for a decision; see `deriveEffects`. */
type ToolActionClass = 'navigational' | 'additive' | 'destructive'

export type ToolContext = {
  agent: { id: string; slug: string; name: string }
  space_id: string
  /** The owner's current view, as the browser reported it; `null` for none. */
  view: Viewed | null
  actor: Actor
  /** The turn that is running; `null` for a call that belongs to none. */
  turn: { id: string; conversation_id: string } | null
  /** The texts that the model has read so far. Default: unknown. */
  given?: () => Given
  signal: AbortSignal
  services: ToolServices
  /** The model's id of this very call. Set by the runtime. */
  tool_use_id?: string
}

/** A handler's failure: the text tells the model what to fix. */
export type ToolFailure = { error: string }

/** The entity that a call was about, for the record of calls, and the text in it where the passage begins. */
export type ToolTarget = { entity_type: string; entity_id: string; passage?: string | undefined }

/** A result for programs, in the shape of its schema. */
type Structured<Result> = { schema: z.ZodObject; of: (result: Result) => Record<string, unknown> }

export type Tool<Input = unknown, Result = unknown> = {
  name: string
  /** Shown to people where a client lists tools. Default: the name. */
  title?: string
  /** Who is offered it. Default: only the companion. */
  offered?: 'companion' | 'agents' | 'both'
  /** The turn ends with a call of it, without an answer; its name is then the stop reason. */
  ends?: true
  /** What must be connected to the Space; without it no companion there is offered the tool. */
  needs?: 'mail' | 'sources'
  description: string
  input: z.ZodType<Input>
  /** Names that models use for an argument, with its own; they are taken, and the right one is said. */
  names?: Readonly<Record<string, string>>
  /** Values that models use, with the allowed value that they mean; they are refused, and the right one is said. */
  values?: Readonly<Record<string, string>>
  /** The arguments that name an entity, for a call that gives a `path`, or an address such as `void://page/ID`, instead. */
  byPath?: { id: string; kind?: string }
  /** The arguments of a range of lines, for a call that gives `lines: "80-160"` instead. */
  byLines?: { from: string; to: string }
  /** An argument that is an object, with the fields of it that models send beside it; they are refused, and the place is said. */
  within?: Within
  /** What else is wrong with the arguments. Must not throw, whatever they are. */
  check?: (args: Record<string, unknown>, ctx: Pick<ToolContext, 'space_id'>) => Correction
  capability: ToolCapability
  /** The class of every call, or of a call with that input. */
  actionClass: ToolActionClass | ((input: Input) => ToolActionClass)
  /** Returns plain data or `{ error }`. A throw is treated as an error result too, with a neutral text. */
  handler: (input: Input, ctx: ToolContext) => Promise<Result | ToolFailure>
  /** The result as the model reads it. Default: as JSON. */
  render?: (result: Result) => ToolResultBlock['content']
  /** The structured result that an outside agent gets besides the rendered one. Default: none. */
  structured?: Structured<Result>
  /** One line for people, under 200 characters. Default: none. */
  summarize?: (result: Result, input: Input) => string
  target?: (result: Result, input: Input) => ToolTarget | null
  /** Effects of a finished call on the owner's view, besides those that `deriveEffects` adds for its class. */
  effects?: (result: Result, input: Input, ctx: Pick<ToolContext, 'space_id'>) => Effect[]
  /**
   * The sources that the result gave the model to read; their texts are its citable blocks. The result of a tool that
   * declares none counts as outside text.
   */
  given?: (result: Result, input: Input) => GivenSource[]
}

/** A finished call, as its tool sees it. */
export type FinishedCall = {
  result: unknown
  input: unknown
  /** The call's own line for people; `null`: none. */
  summary: string | null
  /** The pending change that it stored. */
  draft: Pick<DraftEvent, 'pending_change_id'> | null
  /** The Space it was made in. */
  space_id: string
}

/**
 * The effects of a finished call on the owner's view: the tool's own, and those of its class. An addition is announced; a
 * drafted one by its card alone, while any other draft asks for a decision; reading is silent. Pure; a failed call has no
 * effects.
 */
export function deriveEffects(
  tool: Tool,
  { result, input, summary, draft, space_id }: FinishedCall,
): Effect[] {
  const own = tool.effects?.(result, input, { space_id }) ?? []
  const { actionClass } = tool
  const isAdditive = (typeof actionClass === 'function' ? actionClass(input) : actionClass) === 'additive'
  if (draft && !isAdditive) {
    const { pending_change_id } = draft
    return [...own, { type: 'confirm', pending_change_id, summary: summary ?? '' }]
  }
  if (isAdditive && !draft && summary !== null)
    return [...own, { type: 'notify', level: 'success', message: summary }]
  return own
}
