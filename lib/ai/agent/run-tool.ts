// One tool call, from the model's raw arguments to a tool result. Whatever goes wrong in between, the outcome is a
// result that the model can read: nothing here throws.

import { canAct, mayEnterSpace } from '../../auth/capability.ts'
import type { Effect } from '../../contract/effects.ts'
import { AppError } from '../../errors.ts'
import { cleanDeep, cleanLine, cleanText } from '../../text/clean.ts'
import type { ToolResultBlock } from '../model.ts'
import type { ToolCall } from './carry-back.ts'
import { deriveEffects } from './derive-effects.ts'
import type { AgentEvent, ToolCallRecord } from './events.ts'
import { fitResult } from './fit-result.ts'
import { raceAbort } from './race-abort.ts'
import type { ToolRegistry } from './registry.ts'
import type { Tool, ToolContext, ToolTarget } from './tool.ts'

export type RunToolOptions = {
  call: ToolCall
  registry: ToolRegistry
  ctx: ToolContext
  /** UTF-8 bytes that the result may take up. */
  maxBytes: number
  onEvent: (event: AgentEvent) => void
  now: () => number
  /** Answers the call with this error instead of running it. */
  refusal?: string | undefined
}

export type ToolOutcome = { result: ToolResultBlock; call: ToolCallRecord }

/** Runs the call and tells `tool_start`, then `tool_end`. `ctx.signal` ends the wait for it, with an error result. */
export async function runTool(options: RunToolOptions): Promise<ToolOutcome> {
  const { call, onEvent, now } = options
  const { id: tool_use_id, name } = call
  const args = cleanDeep(call.input)
  const started = now()
  onEvent({ type: 'tool_start', tool_use_id, name, args })

  const answer = options.refusal ? failed(options.refusal) : await attempt(options, args)
  const { content, bytes } = fitResult(answer.content, options.maxBytes)
  const { status, summary, draftId, target, effects } = answer
  const duration_ms = Math.max(0, Math.round(now() - started))
  const record = { tool_use_id, name, args, status, summary, duration_ms, draftId, target, effects, bytes }
  onEvent({ type: 'tool_end', ...record })
  return { result: toolResult(tool_use_id, content, status), call: record }
}

type Answer = {
  content: ToolResultBlock['content']
  status: 'done' | 'error'
  summary: string | null
  draftId: string | null
  target: ToolTarget | null
  effects: Effect[]
}

async function attempt(options: RunToolOptions, args: unknown): Promise<Answer> {
  const { call, registry, ctx } = options
  const tool = registry.getTool(call.name)
  if (!tool) return failed(unknownTool(call.name, registry))
  const denial = whyDenied(tool, ctx, args)
  if (denial) return failed(denial)
  if (typeof args === 'string') return failed(`The arguments are not a valid JSON object: ${excerpt(args)}`)

  try {
    const parsed = await tool.input.safeParseAsync(args)
    if (!parsed.success) return failed(describeIssues(call.name, parsed.error.issues))
    ctx.signal.throwIfAborted()
    const result = await raceAbort(tool.handler(parsed.data, { ...ctx, tool_use_id: call.id }), ctx.signal)
    const failure = failureOf(result)
    return failure === null ? succeeded(options, tool, parsed.data, result) : failed(failure)
  } catch (error) {
    if (ctx.signal.aborted) return failed('The turn was stopped before this call had finished.')
    if (error instanceof AppError) return failed(error.message)
    return crashed(options, error)
  }
}

function whyDenied(tool: Tool, ctx: ToolContext, args: unknown): string | null {
  if (!mayEnterSpace(ctx.actor, ctx.space_id)) return 'Denied: you may not enter this Space.'
  const action = ({ read: 'read', create: 'create', write: 'update' } as const)[tool.capability]
  const permission = canAct(ctx.actor, action, entityTypeOf(args))
  const allowed = action === 'read' ? permission === 'allow' : permission !== 'deny'
  return allowed
    ? null
    : `Denied: you may not use ${tool.name} in this Space. Tell the owner what you would need.`
}

/** The kind that a call is about, where its arguments name one. */
function entityTypeOf(args: unknown): string {
  if (typeof args !== 'object' || args === null) return 'any'
  if ('entity_type' in args && typeof args.entity_type === 'string') return args.entity_type
  return 'kind' in args && typeof args.kind === 'string' ? args.kind : 'any'
}

function failureOf(result: unknown): string | null {
  const isFailure = typeof result === 'object' && result !== null && 'error' in result
  return isFailure && typeof result.error === 'string' ? result.error : null
}

/**
 * The call has had its effect by now, so a fault in how it is told must not read as "it failed" (the model would do it
 * again): the result stays `done`, and the fault goes to the log.
 */
function succeeded(options: RunToolOptions, tool: Tool, input: unknown, result: unknown): Answer {
  const guard = <T>(tell: () => T, otherwise: T): T => {
    try {
      return tell()
    } catch (error) {
      crashed(options, error)
      return otherwise
    }
  }
  const { space_id } = options.ctx
  const asJson = () => JSON.stringify(result) ?? ''
  const summary = guard(() => (tool.summarize ? excerpt(tool.summarize(result, input)) : null), null)
  const draftId = guard(() => tool.draftId?.(result) ?? null, null)
  return {
    content: guard(() => tool.render?.(result) ?? asJson(), 'Done, but the result cannot be shown.'),
    status: 'done',
    summary,
    draftId,
    target: guard(() => tool.target?.(result, input) ?? null, null),
    effects: guard(() => deriveEffects(tool, { result, input, summary, draftId, space_id }), []),
  }
}

function failed(message: string): Answer {
  const content = message.trim() === '' ? 'The tool failed and did not say why.' : cleanText(message)
  return { content, status: 'error', summary: excerpt(content), draftId: null, target: null, effects: [] }
}

function crashed({ call, onEvent }: RunToolOptions, error: unknown): Answer {
  onEvent({ type: 'tool_crash', tool_use_id: call.id, name: call.name, error })
  return failed(
    `The tool ${call.name} failed on Void's side. Trying again is unlikely to help; go on without it.`,
  )
}

const toolResult = (
  id: string,
  content: ToolResultBlock['content'],
  status: Answer['status'],
): ToolResultBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...(status === 'error' ? { is_error: true } : {}),
})

function unknownTool(name: string, registry: ToolRegistry): string {
  const names = registry.listTools().map((tool) => tool.name)
  return `There is no tool "${excerpt(name)}". The tools are: ${names.join(', ') || 'none'}.`
}

type Issue = { path: PropertyKey[]; message: string }

function describeIssues(name: string, issues: Issue[]): string {
  const lines = issues
    .slice(0, 10)
    .map(({ path, message }) => `- ${path.map(String).join('.') || 'input'}: ${message}`)
  return `The arguments of ${name} are not valid, so nothing was done. Fix this and call it again:\n${lines.join('\n')}`
}

/** One line of under 200 characters. */
function excerpt(text: string): string {
  const line = cleanLine(text)
  return line.length < 200 ? line : `${line.slice(0, 198).replace(/[\uD800-\uDBFF]$/, '')}…`
}
