import { readDraft } from '../answers.ts'
import { askBack } from './ask-back.ts'
import { type Clause, type Command, changing, problem, propose } from './command.ts'
import { findTarget, readTarget } from './target.ts'
import { drafted, nameOf } from './update.ts'

const opening = /^(?:delete|remove|trash|erase|throw away|get rid of|bin) (.{1,500})$/i
const proposable = ['page', 'task', 'project', 'ref', 'resource']

/** "Delete the page X". Only an exact title is taken; a slip of the finger is asked about. */
export function readDelete({ head, said }: Clause): Command | null {
  const match = opening.exec(head)
  if (!match) return null
  const target = readTarget(match[1]!, proposable)

  return changing(said, function* (earlier) {
    const found = yield* findTarget(target, earlier)
    if (found.is !== 'one') return problem(askBack(found, target))
    if (!found.exact) return problem(askBack({ is: 'none', near: [found.found] }, target))
    const { kind, id } = found.found
    const answer = yield* propose({ entity_type: kind, action: 'delete', entity_id: id }, said)
    return drafted(
      readDraft(answer),
      `${nameOf(found.found)} could not be drafted for deletion: ${answer.text}`,
    )
  })
}
