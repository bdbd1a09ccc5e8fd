// The offline companion keeps nothing between model calls. What it wants to do is a generator that yields the tool
// calls it needs and returns its reply; each model call runs it from the beginning against the answers that already
// stand in the conversation, up to the first call that has none. A plan must therefore be deterministic.

import type { Answer } from './answers.ts'

export type Call = { name: string; input: Record<string, unknown> }

export type Plan<T> = Generator<Call[], T, Answer[]>

/** One tool call and its answer. */
export function* ask(name: string, input: Record<string, unknown>): Plan<Answer> {
  const answers = yield [{ name, input }]
  return answers[0]!
}

/** A plan that needs no call. */
export function* settled<T>(value: T): Plan<T> {
  yield* noCalls
  return value
}

const noCalls: Call[][] = []

/** Plans side by side: what they need in one step goes out as one batch. */
export function* together<T>(plans: Plan<T>[]): Plan<T[]> {
  const steps = plans.map((plan) => plan.next())
  for (;;) {
    const open = steps.flatMap((step, index) => (step.done ? [] : [{ index, calls: step.value }]))
    if (open.length === 0) return steps.flatMap((step) => (step.done ? [step.value] : []))

    const answers = yield open.flatMap(({ calls }) => calls)
    let from = 0
    for (const { index, calls } of open) {
      steps[index] = plans[index]!.next(answers.slice(from, from + calls.length))
      from += calls.length
    }
  }
}

/** What a plan says with the answers at hand: the calls it still needs, each once, or its result. */
export function advance<T>(
  plan: Plan<T>,
  answerOf: (call: Call) => Answer | undefined,
): { missing: Call[] } | { result: T } {
  let step = plan.next()
  while (!step.done) {
    const answers: Answer[] = []
    const missing = new Map<string, Call>()
    for (const call of step.value) {
      const answer = answerOf(call)
      if (answer) answers.push(answer)
      else missing.set(keyOf(call), call)
    }
    if (missing.size > 0) return { missing: [...missing.values()] }
    step = plan.next(answers)
  }
  return { result: step.value }
}

/** The same for two calls of one tool with equal input, whatever the order of its fields. */
export function keyOf({ name, input }: { name: string; input: unknown }): string {
  return JSON.stringify([name, input], (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}
