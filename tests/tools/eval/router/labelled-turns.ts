// Turns with the conversation that a person would put them in: turns.json. Half of the Spaces are for working on the
// router, the other half is held out: nobody looks at its mistakes, so that its figures mean something.

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { RoutingCase } from '../../../../lib/companion/router/router.ts'

const thread = z.strictObject({
  id: z.string(),
  title: z.string(),
  summary: z.string(),
  last_question: z.string(),
  last_answer: z.string(),
})

const turn = z.strictObject({
  /** The conversation in use. */
  active: z.string(),
  /** Since something was last said in it. */
  minutes: z.number(),
  message: z.string(),
  /** `continue`, `new`, or `resume:` with the id of a conversation. */
  expect: z.string().regex(/^(continue|new|resume:.+)$/),
})

const world = z.strictObject({
  space: z.string(),
  language: z.string(),
  half: z.enum(['tuning', 'held_out']),
  threads: z.array(thread).min(2),
  turns: z.array(turn),
})

const file = z.strictObject({ worlds: z.array(world) })

export type LabelledTurn = {
  half: 'tuning' | 'held_out'
  known: RoutingCase & { active: NonNullable<RoutingCase['active']> }
  expected: string
}

const now = new Date('2031-05-01T12:00:00Z')
/** Minutes between the last activities of conversations that are not in use. */
const gap = 7 * 60

/** Throws when the file is not as it should be, or names a conversation that is not there. */
export function readLabelledTurns(): LabelledTurn[] {
  const { worlds } = file.parse(JSON.parse(readFileSync(new URL('./turns.json', import.meta.url), 'utf8')))
  return worlds.flatMap(({ half, threads, turns }) =>
    turns.map(({ active, minutes, message, expect }) => {
      const at = (ago: number) => new Date(now.getTime() - ago * 60_000).toISOString()
      const others = threads.filter(({ id }) => id !== active)
      const current = threads.find(({ id }) => id === active)
      const target = expect.startsWith('resume:') ? expect.slice('resume:'.length) : null
      if (!current || (target && !others.some(({ id }) => id === target))) {
        throw new Error(`turns.json: “${message}” names a conversation that is not there.`)
      }
      return {
        half,
        expected: expect,
        known: {
          message,
          now,
          active: { ...current, last_activity_at: at(minutes) },
          others: others.map(({ id, title, summary }, place) => ({
            id,
            title,
            summary,
            last_activity_at: at(minutes + gap * (place + 1)),
          })),
        },
      }
    }),
  )
}
