import type { Clause, Command } from './command.ts'
import { creatingTasks } from './create-task.ts'

const openings = [
  /^remind me(?: again)? (?:to|of|about|that) (.+)$/is,
  /^remind me(?: again)? ((?:on|in|at|by|next|tomorrow|today|tonight|this|the|before|every)\b.{1,60}?) (?:to|of|about|that) (.+)$/is,
  /^(?:set|add|create) a reminder (?:to|for|about|that) (.+)$/is,
  /^(?:set|add|create) a reminder ((?:on|in|at|by|for|next|tomorrow|today|tonight|this)\b.{1,60}?) (?:to|of|about|that) (.+)$/is,
  /^(?:don['’]?t|do not) (?:let me )?forget (?:to|about) (.+)$/is,
  /^i (?:must remember|need to remember|have to remember|should remember|must not forget|mustn['’]?t forget) to (.+)$/is,
  /^remember to (.+)$/is,
  /^schedule (.+?)(?: (for .{1,40}))?$/is,
  /^to-?do:? (.+)$/is,
]

/** "Remind me to X on 3 March": a task that is due then. */
export function readRemind({ head, below, said }: Clause, now: Date): Command | null {
  for (const opening of openings) {
    const match = opening.exec(head)
    if (!match) continue
    const [, first = '', second] = match
    const text = second === undefined ? first : join(first, second)
    return creatingTasks([text], below, said, now)
  }
  return null
}

/** A day that was said before the deed, or after "for", stands at the end like any other. */
function join(first: string, second: string): string {
  return /^for /i.test(second)
    ? `${first} ${second.replace(/^for /i, 'on ')}`
    : `${second} ${first.replace(/^for /i, '')}`
}
