// What a turn of the agent is given.

import type { Citation } from '../../contract/events/events.ts'
import type { CallModel, ContentBlock, ModelMessage, Usage } from '../model.ts'
import type { AgentEvent, TurnStep } from './events.ts'
import type { TurnLimits } from './limits.ts'
import type { ToolRegistry } from './registry.ts'
import type { ToolContext } from './tool.ts'
import type { TurnProgress } from './turn-progress.ts'

/** `fixedLength`: characters at the beginning that are the same from turn to turn, for the provider's cache. */
export type SystemPrompt = { text: string; fixedLength: number }

export type TurnOptions = {
  callModel: CallModel
  registry: ToolRegistry
  system: string | SystemPrompt
  /**
   * A valid history that ends with what is to be answered. It may also end, as after a crash, with an assistant message
   * whose tool calls are not all answered: those without a result in the message behind it are run first.
   */
  messages: ModelMessage[]
  ctx: ToolContext
  /** Must not throw. Nothing is emitted after `runTurn` has settled. */
  onEvent: (event: AgentEvent) => void
  /** Model calls with tools in this turn. When they are used up, one more without tools asks for an answer. */
  maxIterations?: number
  /** Stops the turn, also in the middle of a call. `ctx.signal` does the same. */
  signal?: AbortSignal
  limits?: Partial<TurnLimits>
  host?: TurnHost
}

/** What whoever runs a durable turn adds to the loop. */
export type TurnHost = {
  /** What the turn has come to so far. The loop adds to it in place, so the host has it however the turn ends. */
  progress?: TurnProgress
  /** Goes on from there; `messages` hold that attempt's own behind the one that is answered. */
  earlier?: EarlierAttempt | null
  /** Awaited before the next step begins. When it rejects, the turn ends at once and `runTurn` rejects with the same. */
  onStep?: (step: TurnStep) => Promise<void>
  /** The citations in a message of the model, whose text begins at `offset` of the answer. */
  readCitations?: (content: readonly ContentBlock[], offset: number) => Promise<Citation[]>
  /** Whether an effect may move the owner's view. Left out: every effect may. */
  admitEffect?: (effect: Extract<AgentEvent, { type: 'effect' }>['data']) => Promise<boolean>
  /**
   * Asked before each call of the model: a sentence for the owner says why there may be none, and the turn ends there.
   * When it rejects, `runTurn` rejects with the same.
   */
  refuseCall?: () => Promise<string | null>
  /**
   * Makes a history that the model found too long shorter: a valid one that ends with the same message, in which its
   * beginning is summed up; `null` at once where nothing could be left out. Called at most once a turn. Without it such a
   * turn ends with an error.
   */
  compact?: (messages: ModelMessage[]) => Promise<ModelMessage[]> | null
  /** A tool threw what it should not have. The model learns only that it failed; this is for the log. */
  onToolError?: (tool: string, error: unknown) => void
  /** Milliseconds, for durations and for the wall clock. */
  now?: () => number
}

/** What an earlier attempt at a turn has come to by its last finished step, besides its progress. */
export type EarlierAttempt = {
  usage: Usage
  modelCalls: number
  /** Of its last message. */
  stopReason: string | null
  /** The next text goes on where that message left off. */
  continuing: boolean
  /** What it stored, in UTF-8 bytes. */
  bytes: number
}
