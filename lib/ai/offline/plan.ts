// The offline companion stores nothing between model calls. What it wants to do is a generator that yields the tool
// calls it needs and returns its reply; each model call runs it from the beginning against the results that are in the
// conversation, up to the first call that has none. A plan must therefore be deterministic.

import { type Call, keyOf, type ToolResult } from './tool-results.ts'

export type Plan<T> = Generator<Call[], T, ToolResult[]>

/** One tool call and its result. */
export function* call(name: string, input: Record<string, unknown>): Plan<ToolResult> {
  const results = yield [{ name, input }]
  return results[0]!
}

/** Plans side by side: what they need in one step goes out as one batch. */
export function* inParallel<T>(plans: Plan<T>[]): Plan<T[]> {
  const steps = plans.map((plan) => plan.next())
  for (;;) {
    const open = steps.flatMap((step, index) => (step.done ? [] : [{ index, calls: step.value }]))
    if (open.length === 0) return steps.flatMap((step) => (step.done ? [step.value] : []))

    const results = yield open.flatMap(({ calls }) => calls)
    let from = 0
    for (const { index, calls } of open) {
      steps[index] = plans[index]!.next(results.slice(from, from + calls.length))
      from += calls.length
    }
  }
}

/** Runs a plan with the results at hand: the calls that have none yet, each once, or the plan's own result. */
export function runPlan<T>(
  plan: Plan<T>,
  resultOf: (call: Call) => ToolResult | undefined,
): { calls: Call[] } | { result: T } {
  let step = plan.next()
  while (!step.done) {
    const results: ToolResult[] = []
    const missing = new Map<string, Call>()
    for (const wanted of step.value) {
      const result = resultOf(wanted)
      if (result) results.push(result)
      else missing.set(keyOf(wanted), wanted)
    }
    if (missing.size > 0) return { calls: [...missing.values()] }
    step = plan.next(results)
  }
  return { result: step.value }
}
