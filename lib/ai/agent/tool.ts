// What a tool is. A tool file exports one `Tool`; the registry holds it; the runtime runs it. A tool knows neither
// Express nor SQL: it reaches the Space through `ctx.services`.

import type { z } from 'zod'
import type { Actor } from '../../actor.ts'
import type { Given } from '../../changes/grounding/given-text.ts'
import type { Viewed } from '../../contract/companion/open-desk.ts'
import type { Effect } from '../../contract/events/effects.ts'
import type { GivenSource } from '../../db/repos/step_row.ts'
import type { ToolResultBlock } from '../model.ts'
import type { ToolServices } from './services.ts'

/** `read` looks, `create` and `write` draft; the actor's own capability decides whether the call is allowed. */
type ToolCapability = 'read' | 'write' | 'create'

/** How a call is shown: silently, with a notice, or as a card that asks for a decision. */
type ToolActionClass = 'navigational' | 'additive' | 'destructive'

export type ToolContext = {
  agent: { id: string; slug: string; name: string }
  space_id: string
  /** What the owner is looking at, as the browser reported it; `null` for nothing in particular. */
  view: Viewed | null
  actor: Actor
  /** The turn that is running; `null` for a call that belongs to none. */
  turn: { id: string; conversation_id: string } | null
  /** What the model has been given to read so far; left out: unknown. */
  given?: () => Given
  signal: AbortSignal
  services: ToolServices
  /** The model's id of this very call. Set by the runtime. */
  tool_use_id?: string
}

/** A handler's way of failing: the text says to the model what to fix. */
export type ToolFailure = { error: string }

/** The entity a call was about, for the record of calls, and the words there at which what it was about begins. */
export type ToolTarget = { entity_type: string; entity_id: string; passage?: string | undefined }

/** A result for programs, in the shape of its schema. */
type Structured<Result> = { schema: z.ZodObject; of: (result: Result) => Record<string, unknown> }

export type Tool<Input = unknown, Result = unknown> = {
  name: string
  /** For people, where a client lists tools. Left out: the name. */
  title?: string
  /** Who is offered it. Left out: the companion alone. */
  offered?: 'companion' | 'agents' | 'both'
  /** What must be connected to the Space for it to be of use; without it no companion there is offered it. */
  needs?: 'mail' | 'sources'
  description: string
  input: z.ZodType<Input>
  capability: ToolCapability
  /** Of every call, or of the one with that input. */
  actionClass: ToolActionClass | ((input: Input) => ToolActionClass)
  /** Returns plain data or `{ error }`. A throw is treated as an error result too, with a neutral text. */
  handler: (input: Input, ctx: ToolContext) => Promise<Result | ToolFailure>
  /** What the model is given. Left out: the result as JSON. */
  render?: (result: Result) => ToolResultBlock['content']
  /** What an outside agent is given besides the rendered result. Left out: nothing. */
  structured?: Structured<Result>
  /** One line for people, under 200 characters. Left out: none. */
  summarize?: (result: Result, input: Input) => string
  target?: (result: Result, input: Input) => ToolTarget | null
  /** What a finished call does to the owner's view, besides what `deriveEffects` gives every call of its class. */
  effects?: (result: Result, input: Input, ctx: Pick<ToolContext, 'space_id'>) => Effect[]
  /**
   * What the result gave the model to read; the texts are those of its citable blocks. A tool that declares nothing
   * gave text from outside, which nobody vouches for.
   */
  given?: (result: Result, input: Input) => GivenSource[]
}
