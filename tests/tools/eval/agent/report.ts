// What a run of the tasks came to, as text, and two runs beside each other.

import { z } from 'zod'
import { addUsage, noUsage } from '../../../../lib/ai/model.ts'
import { costOf, type Prices, priceOf } from '../../../../lib/ai/usage/prices.ts'
import { describeModel } from '../../../../lib/companion/trial/describe-model.ts'
import { kindOf, taskKinds } from '../../../../lib/companion/trial/task.ts'
import { Usage } from '../../../../lib/contract/events/events.ts'

const TaskRun = z.object({
  failures: z.array(z.object({ code: z.string(), about: z.string() })),
  calls: z.int(),
  failed_calls: z.int(),
  usage: Usage,
  ms: z.int(),
})

/** The results as they are kept. A task has a run for each time that it was taken. */
export const AgentRun = z.object({
  model: z.string(),
  wire: z.enum(['messages', 'chat']),
  base_url: z.string().nullable(),
  started_at: z.iso.datetime(),
  tasks: z.array(z.object({ id: z.string(), runs: z.array(TaskRun) })),
})
export type AgentRun = z.infer<typeof AgentRun>
type Task = AgentRun['tasks'][number]

const isDone = ({ failures }: z.infer<typeof TaskRun>) => failures.length === 0
const countDone = (tasks: readonly Task[]) => tasks.flatMap(({ runs }) => runs).filter(isDone).length
const countRuns = (tasks: readonly Task[]) => tasks.flatMap(({ runs }) => runs).length
const percent = (part: number, whole: number) => `${whole === 0 ? 0 : Math.round((100 * part) / whole)} %`

/** Success by kind, what it took, and each failure with its reasons. */
export function formatRun({ model, wire, base_url, tasks }: AgentRun, prices: Prices): string {
  const runs = tasks.flatMap((task) => task.runs)
  const usage = runs.reduce((sum, run) => addUsage(sum, run.usage), noUsage)
  const price = priceOf(prices, model)
  const steps = runs.reduce((sum, { calls }) => sum + calls, 0)
  const failed = runs.reduce((sum, { failed_calls }) => sum + failed_calls, 0)
  const seconds = runs.reduce((sum, { ms }) => sum + ms, 0) / 1000
  const input = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens
  const words = describeModel(
    tasks.flatMap(({ id, runs: all }) => all.map(({ failures }) => ({ kind: kindOf({ id }), failures }))),
  )
  return [
    `Model: ${model}, over ${wire}${base_url ? ` at ${base_url}` : ''}`,
    '',
    'kind        done',
    ...taskKinds.flatMap((kind) => {
      const own = tasks.filter((task) => kindOf(task) === kind)
      return own.length === 0 ? [] : [`${kind.padEnd(10)}${lineOf(own)}`]
    }),
    `${'all'.padEnd(10)}${lineOf(tasks)}`,
    '',
    `calls of tools ${steps}, of them failed ${failed}`,
    `tokens in      ${input}, of them from the cache ${usage.cache_read_input_tokens}`,
    `tokens out     ${usage.output_tokens}`,
    `cost           ${price ? `$${costOf(price, usage).toFixed(2)}` : 'unknown'}`,
    `time           ${seconds.toFixed(1)} s, ${(seconds / Math.max(1, runs.length)).toFixed(1)} s a task`,
    '',
    ...words.map((sentence) => `- ${sentence}`),
    '',
    ...tasks.flatMap(explain),
  ].join('\n')
}

const lineOf = (tasks: readonly Task[]) => {
  const [done, all] = [countDone(tasks), countRuns(tasks)]
  return `${String(done).padStart(4)} of ${String(all).padStart(3)}  ${percent(done, all).padStart(5)}`
}

const explain = ({ id, runs }: Task): string[] =>
  runs
    .filter((run) => !isDone(run))
    .map(({ failures }) => `${id}: ${failures.map(({ code, about }) => `${code} (${about})`).join('; ')}`)

/** The tasks that came out otherwise, and those that only one of the runs has. */
export function compareRuns(first: AgentRun, second: AgentRun): string {
  const other = new Map(second.tasks.map((task) => [task.id, task]))
  const known = new Set(first.tasks.map(({ id }) => id))
  const both = first.tasks.filter(({ id }) => other.has(id))
  const sides = both.map((task) => ({ before: task, after: other.get(task.id)! }))
  const shareOf = (task: Task) => countDone([task]) / Math.max(1, countRuns([task]))
  const toLine = ({ before, after }: (typeof sides)[number]) => {
    const reasons = [...new Set(after.runs.flatMap(({ failures }) => failures.map(({ code }) => code)))]
    const counts = [before, after].map((task) => `${countDone([task])}/${countRuns([task])}`).join(' → ')
    return `  ${before.id.padEnd(12)}${counts}${reasons.length > 0 ? `  ${reasons.join(', ')}` : ''}`
  }
  const better = sides.filter(({ before, after }) => shareOf(after) > shareOf(before))
  const worse = sides.filter(({ before, after }) => shareOf(after) < shareOf(before))
  const only = [
    ...first.tasks.filter(({ id }) => !other.has(id)),
    ...second.tasks.filter(({ id }) => !known.has(id)),
  ]
  return [
    `${first.model} (${first.wire}) ${lineOf(both).trim()} → ${second.model} (${second.wire}) ${lineOf(sides.map(({ after }) => after)).trim()}`,
    `better: ${better.length}`,
    ...better.map(toLine),
    `worse: ${worse.length}`,
    ...worse.map(toLine),
    `the same: ${sides.length - better.length - worse.length}`,
    ...(only.length > 0 ? [`in one run only: ${only.map(({ id }) => id).join(', ')}`] : []),
  ].join('\n')
}
