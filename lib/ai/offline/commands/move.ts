// "Move page X under Y", "move X to the top level", "put X in project Y".

import type { Plan } from '../plan.ts'
import { askBack } from './ask-back.ts'
import { type Clause, type Command, type Created, changing, type Outcome, problem } from './command.ts'
import { findTarget, readTarget, type Target } from './target.ts'
import { draftChange, draftUpdate, nameOf } from './update.ts'

const under =
  /^(?:move|put|place|file|nest) (.{1,400}?) (?:under|below|beneath|inside|into|in|to) (.{1,400})$/i
const top = /^(?:the )?(?:top(?: level)?|root)(?: of (?:the|this) space)?$/i

export function readMove({ head, said }: Clause): Command | null {
  const match = under.exec(head)
  if (!match) return null
  const [, name = '', place = ''] = match
  const target = readTarget(name, ['page', 'task'])
  if (top.test(place)) {
    return changing(said, (earlier) =>
      draftUpdate({
        target: { ...target, kinds: ['page'] },
        said,
        earlier,
        fields: () => ({ parent_id: null }),
      }),
    )
  }
  return changing(said, (earlier) => moveTo({ target, place, said, earlier }))
}

type Move = { target: Target; place: string; said: string; earlier: readonly Created[] }

function* moveTo({ target, place, said, earlier }: Move): Plan<Outcome[]> {
  const found = yield* findTarget(target, earlier)
  if (found.is !== 'one') return problem(askBack(found, target))
  const isTask = found.found.kind === 'task'
  const parent = readTarget(place, [isTask ? 'project' : 'page'])
  const match = yield* findTarget(parent, earlier)
  if (match.is !== 'one') return problem(askBack(match, parent))
  if (match.found.kind !== (isTask ? 'project' : 'page')) {
    return problem(
      `${nameOf(found.found)} cannot be moved there: a page goes under a page, a task into a project.`,
    )
  }
  if (match.found.id === found.found.id) return problem(`${nameOf(found.found)} cannot lie under itself.`)
  const payload = isTask ? { project_id: match.found.id } : { parent_id: match.found.id }
  return yield* draftChange({ found: found.found, said, named: match.found, payload })
}
