import type { Plan } from '../plan.ts'
import { type Clause, type Command, type Created, changing } from './command.ts'
import { findTarget, readTarget, type Target } from './target.ts'
import { leadingQuote, unquote } from './unquote.ts'
import { draftUpdate } from './update.ts'

const opening = /^(?:rename|retitle) (.{1,800})$/i
const titleOf = /^(?:change|set|update) (?:the )?(?:title|name) of (.{1,800})$/i
const between = / (?:to|as|into) /gi
const proposable = ['page', 'task', 'project', 'ref', 'resource']

type Reading = { target: Target; title: string }

/** "Rename X to Y". Where either name holds a "to", the division is taken whose X exists. */
export function readRename({ head, said }: Clause): Command | null {
  const words = (opening.exec(head) ?? titleOf.exec(head))?.[1]
  const readings = words === undefined ? [] : readingsOf(words)
  if (readings.length === 0) return null

  return changing(said, function* (earlier) {
    const { target, title } = yield* firstThatExists(readings, earlier)
    return yield* draftUpdate({ target, said, earlier, fields: () => ({ title }) })
  })
}

function readingsOf(words: string): Reading[] {
  const quote = leadingQuote(words)
  const start = quote ? words.length - quote.rest.length - 1 : 0
  return [...words.matchAll(between)]
    .filter(({ index }) => index >= start)
    .slice(0, 3)
    .map(({ index, 0: { length } }) => ({
      target: readTarget(words.slice(0, index), proposable),
      title: unquote(words.slice(index + length)),
    }))
    .filter(({ title }) => title !== '')
}

function* firstThatExists(readings: Reading[], earlier: readonly Created[]): Plan<Reading> {
  for (const reading of readings.length > 1 ? readings : []) {
    const match = yield* findTarget(reading.target, earlier)
    if (match.is === 'one') return reading
  }
  return readings[0]!
}
