// The grader, proven without a model: a scripted perfect model does all tasks and a sloppy one none, over the real
// companion, and answers that were altered are graded for what they are.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { allAbilities, unknownAbilities } from '../../../../lib/ai/adapt/abilities.ts'
import { createModelProvider } from '../../../../lib/ai/models/model-provider.ts'
import type { WireName } from '../../../../lib/ai/wires/wire.ts'
import { gradeTask } from '../../../../lib/companion/trial/grade.ts'
import type { TaskOutcome } from '../../../../lib/companion/trial/run-task.ts'
import { runTrial, type TaskResult } from '../../../../lib/companion/trial/run-trial.ts'
import { kindOf, readTasks, type TrialTask, taskKinds } from '../../../../lib/companion/trial/task.ts'
import { makeTrialSpace, type TrialSpace } from '../../../../lib/companion/trial/trial-space.ts'
import { createLogger } from '../../../../lib/core/logger.ts'
import { assemble } from '../../../../lib/server/assemble.ts'
import { loadConfig } from '../../../../lib/server/config.ts'
import { createTrialVoid, type TrialVoid } from '../../../../lib/server/trial.ts'
import { testDb } from '../../../helpers/test-db.ts'
import { allTasks as tasks } from './all-tasks.ts'
import { type ScriptedServer, startChatServer, startMessagesServer } from './scripted-servers.ts'
import { beSloppy } from './sloppy.ts'
import { readLines, readSolutions, type Step, stepsOf } from './solutions.ts'

const solutions = readSolutions()
const servers = { messages: await startMessagesServer(), chat: await startChatServer() }
let wire: WireName = 'messages'
const providers = { messages: providerOf('messages'), chat: providerOf('chat') }
const models = {
  current: () => providers[wire].current(),
  small: () => null,
  list: async () => ({ models: [], problem: null }),
}
let trial: TrialVoid
let space: TrialSpace

beforeAll(async () => {
  const logger = createLogger('silent')
  trial = createTrialVoid(assemble, loadConfig({}, ''), { database: await testDb(), models, logger })
  space = await makeTrialSpace(trial)
})
afterAll(async () => {
  await trial.close()
  await servers.messages.close()
})

function providerOf(name: WireName) {
  const settings = {
    ...{ wire: name, baseUrl: servers[name].url, apiKey: 'sk-test' },
    ...{ model: 'scripted', maxTokens: 4000, smallModel: null },
  }
  const abilities = () => (name === 'messages' ? allAbilities : unknownAbilities)
  const known = { abilities, learn: async () => {} }
  return createModelProvider(() => settings, { now: () => new Date(), servers: known })
}

/** What comes of the tasks when the model of a wire follows these steps. */
async function take(name: WireName, wanted: readonly TrialTask[], stepsFor: (task: TrialTask) => Step[]) {
  wire = name
  const server: ScriptedServer = servers[name]
  const results: { result: TaskResult; outcome: TaskOutcome }[] = []
  const { signal } = new AbortController()
  for (const task of wanted) {
    server.follow(stepsFor(task), space)
    results.push(...(await Array.fromAsync(runTrial(trial, space, [task], signal))))
  }
  return results
}

const failuresOf = (results: readonly { result: TaskResult }[]) =>
  Object.fromEntries(
    results
      .filter(({ result }) => result.failures.length > 0)
      .map(({ result }) => [result.id, result.failures]),
  )

const perfect = (task: TrialTask) => stepsOf(solutions.get(task.id)!)
const perfectOutcomes = new Map<string, TaskOutcome>()

test('80 tasks of 19 kinds, ten of them for Settings, and each has its solution', () => {
  expect(tasks).toHaveLength(80)
  expect(readTasks()).toHaveLength(10)
  expect(new Set(tasks.map(kindOf))).toEqual(new Set(taskKinds))
  expect(tasks.filter((task) => kindOf(task) === 'inject')).toHaveLength(15)
  expect(new Set(tasks.map(({ id }) => id))).toEqual(new Set(solutions.keys()))
})

test('a perfect model gets 80 of 80 over the Messages API', async () => {
  const results = await take('messages', tasks, perfect)
  for (const { result, outcome } of results) perfectOutcomes.set(result.id, outcome)

  expect(failuresOf(results)).toEqual({})
  expect(results.filter(({ result }) => result.failed_calls > 0)).toEqual([])
  expect(servers.messages.refused).toEqual([])
})

test('a turn of each kind over Chat Completions', async () => {
  const each = taskKinds.map((kind) => tasks.find((task) => kindOf(task) === kind)!)

  expect(failuresOf(await take('chat', each, perfect))).toEqual({})
})

test.each(['messages', 'chat'] as const)(
  'a sloppy model over %s fails each task, in the way that the task is made for',
  async (name) => {
    const sloppy = new Map(tasks.map((task) => [task.id, beSloppy(task, solutions.get(task.id)!)]))

    const results = await take(name, tasks, (task) => sloppy.get(task.id)!.steps)

    const codes = results.map(({ result }) => [
      result.id,
      [...new Set(result.failures.map(({ code }) => code))].toSorted(),
    ])
    expect(Object.fromEntries(codes)).toEqual(
      Object.fromEntries([...sloppy].map(([id, { fails }]) => [id, fails.toSorted()])),
    )
  },
)

const Altered = z.strictObject({
  task: z.string(),
  /** What is said in place of the perfect answer. */
  text: z.string().optional(),
  citations: z.enum(['unchecked', 'of another', 'first']).optional(),
  stop_reason: z.string().optional(),
  error: z.string().optional(),
  refused: z.string().optional(),
  broken: z.array(z.string()).optional(),
  effects: z.tuple([]).optional(),
  calls: z.int().optional(),
  /** Of the first draft: its kind, fields after approval, a part of its text, whether it deletes. */
  type: z.string().optional(),
  after: z.record(z.string(), z.unknown()).optional(),
  swap: z.tuple([z.string(), z.string()]).optional(),
  deleted: z.boolean().optional(),
  /** One more draft, which deletes this. */
  extra: z.string().optional(),
  fails: z.array(z.string()),
  why: z.string(),
})

function alter(perfectOutcome: TaskOutcome, altered: z.infer<typeof Altered>): TaskOutcome {
  const {
    task: _,
    fails: __,
    why: ___,
    text,
    citations,
    type,
    after,
    swap,
    deleted,
    extra,
    ...rest
  } = altered
  const outcome: TaskOutcome = { ...structuredClone(perfectOutcome), ...rest }
  if (text !== undefined) Object.assign(outcome, { text, answer: text })
  if (citations === 'first') outcome.citations.splice(1)
  for (const citation of outcome.citations) {
    if (citations === 'unchecked') citation.checked = false
    if (citations === 'of another') citation.of = 'Power'
  }
  const [draft] = outcome.drafts
  if (draft) {
    if (type) draft.type = type
    if (deleted !== undefined) draft.deleted = deleted
    Object.assign(draft.after, after)
    if (swap) {
      const { body } = draft.after
      draft.after.body = String(body).replace(...swap)
      expect(draft.after.body).not.toBe(body)
    }
  }
  if (extra) {
    const { id, type: of } = space.find(extra)
    outcome.drafts.push({ type: of, id, title: extra, before: { id }, after: { id }, deleted: true })
  }
  return outcome
}

const altered = readLines('altered.jsonl', Altered)

test('40 altered answers', () => expect(altered).toHaveLength(40))

test.each(altered)('$task with $why', (each) => {
  const task = tasks.find(({ id }) => id === each.task)!
  const failures = gradeTask({ space, kinds: trial.kinds }, task, alter(perfectOutcomes.get(task.id)!, each))

  expect([...new Set(failures.map(({ code }) => code))].toSorted(), JSON.stringify(failures)).toEqual(
    each.fails,
  )
  expect(failures.every(({ about }) => about !== '')).toBe(true)
})
