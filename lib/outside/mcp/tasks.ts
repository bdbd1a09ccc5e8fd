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
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no task ${id} of yours.`)
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
