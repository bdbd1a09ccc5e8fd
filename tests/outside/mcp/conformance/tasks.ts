// Tools that go on as tasks, and the tasks.

import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'
import { v7 as uuid } from 'uuid'
import {
  declaresTasks,
  requireTasks,
  type StartedTask,
  startedTask,
  type Task,
  type Tasks,
} from '../../../../lib/outside/mcp/tasks.ts'
import { text } from './content.ts'
import { askFor, form, responsesOf } from './input.ts'

type State =
  | Pick<Task & { status: 'working' | 'cancelled' }, 'status'>
  | Pick<Task & { status: 'input_required' }, 'status' | 'inputRequests'>
  | Pick<Task & { status: 'completed' }, 'status' | 'result'>
  | Pick<Task & { status: 'failed' }, 'status' | 'error'>

/** What a task is at a time in milliseconds since its start, with the input that was given to it. */
type Course = (elapsed: number, given: Record<string, unknown>) => State

type Running = { started: number; course: Course; given: Record<string, unknown>; cancelled: boolean }

const working: State = { status: 'working' }
const completed = (words: string, isError = false): State => ({
  status: 'completed',
  result: { content: [text(words)], ...(isError ? { isError } : {}) },
})

/** A second of the scenarios, in milliseconds. */
const second = 50

const asking =
  (...names: string[]): Course =>
  (_elapsed, given) => {
    const open = names.filter((name) => given[name] === undefined)
    if (open.length === 0) return completed('All was answered.')
    const ask = form('Go on?', { confirm: { type: 'boolean' } })
    return { status: 'input_required', inputRequests: Object.fromEntries(open.map((name) => [name, ask])) }
  }

const courses: Record<string, (args: Record<string, unknown>) => Course> = {
  slow_compute:
    ({ seconds }) =>
    (elapsed) =>
      elapsed >= Number(seconds) * (Number(seconds) < 10 ? second : 1000) ? completed('computed') : working,
  failing_job: () => (elapsed) => (elapsed >= second ? completed('it failed', true) : working),
  protocol_error_job: () => () => ({ status: 'failed', error: { code: -32603, message: 'It broke.' } }),
  confirm_delete: () => asking('confirm'),
  multi_input: () => asking('first', 'second'),
}

/** These have no other answer than a task. */
const onlyTasks = new Set(['failing_job', 'test_tool_with_task'])

export type TaskTool = (
  args: Record<string, unknown>,
  ctx: ServerContext,
) => CallToolResult | InputRequiredResult | StartedTask

export function createFixtureTasks(): { tasks: Tasks; tools: Record<string, TaskTool> } {
  const running = new Map<string, Running>()

  const look = (taskId: string, { started, course, given, cancelled }: Running): Task => ({
    taskId,
    createdAt: new Date(started).toISOString(),
    lastUpdatedAt: new Date(started).toISOString(),
    ttlMs: 60_000,
    pollIntervalMs: 100,
    ...(cancelled ? { status: 'cancelled' as const } : course(Date.now() - started, given)),
  })

  const start = (course: Course): StartedTask => {
    const taskId = uuid()
    const task = { started: Date.now(), course, given: {}, cancelled: false }
    running.set(taskId, task)
    return startedTask(look(taskId, task))
  }

  const tools: Record<string, TaskTool> = {
    greet: ({ name }) => ({ content: [text(`Hello, ${name}!`)] }),
    test_tool_with_task(_args, ctx) {
      requireTasks(ctx)
      const { user_name } = responsesOf(ctx)
      if (!user_name) return askFor({ user_name: form('Who?', { name: { type: 'string' } }, ['name']) })
      return start(() => completed(`Hello, ${JSON.stringify(user_name)}!`))
    },
  }
  for (const [name, courseOf] of Object.entries(courses)) {
    tools[name] = (args, ctx) => {
      if (onlyTasks.has(name)) requireTasks(ctx)
      return declaresTasks(ctx) ? start(courseOf(args)) : { content: [text('at once')] }
    }
  }

  return {
    tools,
    tasks: {
      find: async (taskId) => {
        const found = running.get(taskId)
        return found ? look(taskId, found) : null
      },
      update: async (taskId, inputResponses) => {
        Object.assign(running.get(taskId)!.given, inputResponses)
      },
      cancel: async (taskId) => {
        const found = running.get(taskId)!
        if (look(taskId, found).status === 'working') found.cancelled = true
      },
    },
  }
}
