// The Tasks extension (SEP-2663): a call that takes longer than a connection is answered with a task, which the client
// looks up until it has ended. https://modelcontextprotocol.io/seps/2663-tasks-extension

import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type JSONRPCRequest,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Outcome } from '../../changes/outcomes.ts'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import type { AgentActor } from '../../core/actor.ts'
import { AppError } from '../../core/errors.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import type { McpDeps } from './mcp-deps.ts'

export const tasksExtension = 'io.modelcontextprotocol/tasks'

/** Times are ISO 8601; `ttlMs`: how long it can be looked up, null for ever. */
type TaskFacts = {
  taskId: string
  statusMessage?: string
  createdAt: string
  lastUpdatedAt: string
  ttlMs: number | null
  pollIntervalMs: number
}

export type Task = TaskFacts &
  (
    | { status: 'working' | 'cancelled' }
    | { status: 'input_required'; inputRequests: Record<string, unknown> }
    | { status: 'completed'; result: CallToolResult }
    | { status: 'failed'; error: { code: number; message: string } }
  )

/** What a call is answered that goes on as a task. */
export type StartedTask = TaskFacts & { resultType: 'task'; status: Task['status'] }

export type Tasks = {
  /** Null: not a task of this client. */
  find(taskId: string): Promise<Task | null>
  /** Takes the responses to what an `input_required` task asked for; others are ignored. */
  update(taskId: string, inputResponses: Record<string, unknown>): Promise<void>
  /** Does nothing to a task that has ended. */
  cancel(taskId: string): Promise<void>
}

export function startedTask(task: Task): StartedTask {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = task
  const facts = { taskId, status, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs }
  return { resultType: 'task', ...facts, ...(statusMessage === undefined ? {} : { statusMessage }) }
}

const declaring = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({
    extensions: z.looseObject({ [tasksExtension]: z.looseObject({}) }),
  }),
})

/** Whether the client of a request can be answered with a task. */
export const declaresTasks = ({ mcpReq: { envelope } }: ServerContext): boolean =>
  declaring.safeParse(envelope).success

/** Throws the protocol's error unless the client of a request declared the extension. */
export function requireTasks(ctx: ServerContext): void {
  if (declaresTasks(ctx)) return
  const requiredCapabilities = { extensions: { [tasksExtension]: {} } }
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities })
}

const taskId = z.string().min(1).max(200)

/** Makes a server answer `tasks/*`. Before it is connected. */
export function serveTasks(server: Server, tasks: Tasks): void {
  const find = async (id: string, ctx: ServerContext): Promise<Task> => {
    requireTasks(ctx)
    const task = await tasks.find(id)
    if (task) return task
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `You have no task ${id}.`)
  }
  server.setRequestHandler('tasks/get', { params: z.looseObject({ taskId }) }, (params, ctx) =>
    find(params.taskId, ctx),
  )
  server.setRequestHandler('tasks/update', { params: z.looseObject({ taskId }) }, async (params, ctx) => {
    await find(params.taskId, ctx)
    // The SDK takes them out of the parameters of every method.
    await tasks.update(params.taskId, ctx.mcpReq.inputResponses ?? {})
    return {}
  })
  server.setRequestHandler('tasks/cancel', { params: z.looseObject({ taskId }) }, async (params, ctx) => {
    await find(params.taskId, ctx)
    await tasks.cancel(params.taskId)
    return {}
  })
}

type Handler = (request: JSONRPCRequest, ctx: ServerContext) => Promise<Result>

/**
 * A server whose tools may answer with a task: the SDK's own takes every answer for the result of the tool. Wrong parameters,
 * an internal error to the SDK, are told as such; see `guardOffer` for what goes wrong behind them.
 */
export class ServerWithTasks extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const checked: Handler = (request, ctx) => handleChecked(handler, request, ctx)
    if (method !== 'tools/call') return super._wrapHandler(method, checked)
    return async (request, ctx) => {
      let task: Result | undefined
      const call = super._wrapHandler(method, async (...args) => {
        const result = await checked(...args)
        if (result.resultType !== 'task') return result
        task = result
        return { content: [] }
      })
      const result = await call(request, ctx)
      return task ?? result
    }
  }
}

async function handleChecked(handler: Handler, request: JSONRPCRequest, ctx: ServerContext): Promise<Result> {
  try {
    return await handler(request, ctx)
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `The parameters of ${request.method} are not valid.`,
    )
  }
}

// A draft as a task: it works while the draft waits, and has ended when the owner has decided. Nothing is stored for it:
// the draft's own row is what it is derived from, so it outlives restarts of both sides. The owner decides in Void, so
// nothing is ever asked of the client.

const pollIntervalMs = 5000

/** Drafts that took the place of one another. */
const maxSuccessors = 50

type Viewer = { actor: AgentActor; baseUrl: string }

/** The drafts of an agent as tasks; those of others are unknown to it. */
export function createDraftTasks({ database, services }: McpDeps, { actor, baseUrl }: Viewer): Tasks {
  const changes = createPendingChangesRepo(database)

  return {
    find,

    // Nothing is asked, so there is nothing to take.
    update: async () => {},

    async cancel(draftId) {
      const outcome = await loadOutcome(draftId)
      if (outcome?.outcome !== 'pending') return
      await services.retract(actor, outcome.draft).catch((error: unknown) => {
        // The owner was faster: the task has ended.
        if (!(error instanceof AppError) || error.status !== 409) throw error
      })
    },
  }

  async function find(draftId: string): Promise<Task | null> {
    const first = await findDraft(draftId)
    const outcome = first && (await loadOutcome(draftId))
    if (!outcome) return null
    const last = outcome.draft === draftId ? first : ((await findDraft(outcome.draft)) ?? first)
    const facts = {
      taskId: draftId,
      createdAt: isoOf(first.created_at),
      lastUpdatedAt: isoOf(last.decided_at ?? last.created_at),
      ttlMs: null,
      pollIntervalMs,
      statusMessage: sentenceOf(outcome.outcome),
    }
    if (outcome.outcome === 'pending') return { ...facts, status: 'working' }
    if (outcome.outcome === 'retracted') return { ...facts, status: 'cancelled' }
    return { ...facts, status: 'completed', result: toResult(outcome) }
  }

  async function findDraft(id: string): Promise<PendingChange | null> {
    if (!z.uuid().safeParse(id).success) return null
    return await changes.find(id, { space_ids: actor.spaces, agent_id: actor.agent_id })
  }

  /** What became of it; of a draft that another one took the place of, what became of that. */
  async function loadOutcome(draftId: string): Promise<Outcome | null> {
    let outcome: Outcome | null = null
    let next: string | null = draftId
    for (let step = 0; next !== null && step < maxSuccessors; step += 1) {
      const draft: PendingChange | null = await findDraft(next)
      const [found] = draft
        ? await services.outcomes(actor, { space_id: draft.space_id, id: draft.id, limit: 1 })
        : []
      if (!draft || !found) return outcome
      outcome = found
      next = found.outcome === 'superseded' ? draft.superseded_by : null
    }
    return outcome
  }

  function toResult({ outcome, ...about }: Outcome): CallToolResult {
    const url = `${baseUrl}/inbox/${about.draft}`
    const told = { status: outcome, summary: sentenceOf(outcome), ...about, url }
    return {
      content: [
        { type: 'text', text: `${sentenceOf(outcome)}\n\n${JSON.stringify(told)}` },
        { type: 'resource_link', uri: url, name: 'Draft' },
      ],
      structuredContent: told,
    }
  }
}

function sentenceOf(outcome: string): string {
  return sentences.get(outcome) ?? `The draft is ${outcome}.`
}

const sentences: ReadonlyMap<string, string> = new Map([
  ['pending', 'Nothing has been applied: the draft awaits the owner’s decision.'],
  ['approved', 'The owner approved the draft, and it was applied.'],
  ['edited', 'The owner edited the draft and applied the edited version; owner_changed has the difference.'],
  ['partly_approved', 'The owner approved part of the draft; the rest is pending as a separate draft.'],
  ['rejected', 'The owner rejected the draft. Do not propose the same again.'],
  ['undone', 'The draft was applied, and the owner undid it. Do not propose the same again.'],
  ['expired', 'The draft expired before it was decided. Nothing was applied.'],
  ['obsolete', 'The draft no longer applies. Nothing was applied.'],
  ['retracted', 'The draft was withdrawn. Nothing was applied.'],
])

const isoOf = (time: string | Date): string => new Date(time).toISOString()
