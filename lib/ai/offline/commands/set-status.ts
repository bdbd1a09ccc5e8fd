// "Mark X as done", "cancel the task X", "reopen X", "I finished X", "start X", "put project X on hold".

import { type Clause, type Command, changing } from './command.ts'
import { readStatus, type Status, statusFor } from './statuses.ts'
import { readTarget, type Target } from './target.ts'
import { draftUpdate, nameOf } from './update.ts'

const kinds = ['task', 'project']
const status =
  '(?:done|complete|completed|finished|in progress|in-progress|started|open|todo|to do|undone|not done|cancell?ed|on hold|paused|active)'

const patterns: [RegExp, (groups: string[]) => { name?: string | undefined; status?: string | undefined }][] =
  [
    [
      new RegExp(`^(?:mark|set|make|put|flag|move) (.{1,400}?) (?:as |to |be )?(${status})$`, 'i'),
      ([name, to]) => ({ name, status: to }),
    ],
    [
      new RegExp(`^(?:set|change|update) (?:the )?status of (.{1,400}) to (${status})$`, 'i'),
      ([name, to]) => ({ name, status: to }),
    ],
    [/^mark as (\S.{1,20}?):? (.{1,400})$/i, ([to, name]) => ({ name, status: to })],
    [
      /^(?:complete|finish|close|check off|tick off|resolve) (.{1,400})$/i,
      ([name]) => ({ name, status: 'done' }),
    ],
    [
      /^i(?:'ve|’ve| have)?(?: just| already)? (?:finished|completed|did|done) (.{1,400})$/i,
      ([name]) => ({ name, status: 'done' }),
    ],
    [/^cancel (.{1,400})$/i, ([name]) => ({ name, status: 'cancelled' })],
    [/^(?:re-?open|unfinish|uncheck) (.{1,400})$/i, ([name]) => ({ name, status: 'open' })],
    [
      /^(?:start|begin|resume)(?: working on| with)? (.{1,400})$/i,
      ([name]) => ({ name, status: 'in progress' }),
    ],
    [/^pause (.{1,400})$/i, ([name]) => ({ name, status: 'on hold' })],
  ]

export function readSetStatus({ head, said }: Clause): Command | null {
  for (const [pattern, read] of patterns) {
    const match = pattern.exec(head)
    const wanted = match ? read(match.slice(1)) : null
    const to = wanted ? readStatus(wanted.status ?? '') : null
    if (wanted?.name && to) return settingStatus(readTarget(wanted.name, kinds), to, said)
  }
  return null
}

function settingStatus(target: Target, to: Status, said: string): Command {
  return changing(said, function* (earlier) {
    return yield* draftUpdate({
      target,
      said,
      earlier,
      fields: (found) => {
        const value = statusFor(found.kind, to)
        if (value === null) return `${nameOf(found)} cannot be “${to.replaceAll('_', ' ')}”.`
        return { status: value }
      },
    })
  })
}
