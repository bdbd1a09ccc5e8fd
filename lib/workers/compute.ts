// What a transaction needs of large texts is computed while it is not open. It asks for the answer; where that takes a
// thread, the transaction is rolled back, so that no lock and no connection waits, and runs again with the answer at hand.

import { createHash } from 'node:crypto'
import type { Database, Queryable } from '../db/pool.ts'
import { conflict } from '../errors.ts'
import { maxMainThread, type TextTask, type TextThreads, textLength } from './text-threads.ts'

/**
 * As `TextThreads.run`, also in a transaction of the database that `createCompute` returns, which it may end: what it
 * rejects with there is not to be caught. The work of such a transaction runs as often as it asks for something new.
 */
export type Compute = <Input, Output>(
  tx: Queryable,
  task: TextTask<Input, Output>,
  input: Input,
) => Promise<Output | null>

/** Answers that one transaction may ask for: a changeset has at most 50 drafts, each with a text and its quotations. */
const maxAnswers = 200

export function createCompute(
  database: Database,
  threads: TextThreads,
): { database: Database; compute: Compute } {
  const answersOf = new WeakMap<Queryable, Map<string, unknown>>()

  return {
    database: {
      ...database,
      async transaction(work) {
        const answers = new Map<string, unknown>()
        for (;;) {
          try {
            return await database.transaction((tx) => {
              answersOf.set(tx, answers)
              return work(tx)
            })
          } catch (error) {
            if (!(error instanceof Unanswered)) throw error
            if (answers.size >= maxAnswers) throw tooManyAnswers()
            answers.set(error.key, await error.compute())
          }
        }
      },
    },

    async compute<Input, Output>(tx: Queryable, task: TextTask<Input, Output>, input: Input) {
      const length = textLength(input)
      const answers = answersOf.get(tx)
      if (!answers || length <= maxMainThread) return await threads.run(task, input, length)
      const key = createHash('sha256')
        .update(`${task.module} ${task.name} `)
        .update(JSON.stringify(input))
        .digest('base64')
      if (!answers.has(key)) throw new Unanswered(key, () => threads.run(task, input, length))
      return answers.get(key) as Output | null
    },
  }
}

class Unanswered extends Error {
  readonly key: string
  readonly compute: () => Promise<unknown>

  constructor(key: string, compute: () => Promise<unknown>) {
    super('a transaction waits for what a thread computes')
    this.key = key
    this.compute = compute
  }
}

const tooManyAnswers = () =>
  conflict('texts_changed', 'The texts changed again and again while they were compared. Try again.')
