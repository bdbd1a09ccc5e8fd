import type { Clause, Command } from './command.ts'
import { creatingTasks } from './create-task.ts'

const openings = [
  /^remind me(?: again)? (?:to|of|about|that) (.+)$/is,
  /^remind me(?: again)? ((?:on|in|at|by|next|tomorrow|today|tonight|this|the|before|every)\b.{1,60}?) (?:to|of|about|that) (.+)$/is,
  /^(?:set|add|create) a reminder (?:to|for|about|that) (.+)$/is,
  /^(?:set|add|create) a reminder ((?:on|in|at|by|for|next|tomorrow|today|tonight|this)\b.{1,60}?) (?:to|of|about|that) (.+)$/is,
  /^(?:don['’]?t|do not) (?:let me )?forget (?:to|about) (.+)$/is,
  /^i (?:have|need|must remember|need to remember|should remember|must not forget|mustn['’]?t forget) to (.+)$/is,
  /^remember to (.+)$/is,
  /^to-?do:? (.+)$/is,
]

/** "Remind me to X on 3 March": a task that is due then. */
export function readRemind({ head, below, said }: Clause, now: Date): Command | null {
  for (const opening of openings) {
    const match = opening.exec(head)
    if (!match) continue
    const [, first = '', second] = match
    const text = second === undefined ? first : `${second} ${first.replace(/^for /i, '')}`
    return creatingTasks([text], below, said, now)
  }
  return null
}
