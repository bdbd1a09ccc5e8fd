// "Assign the task X to project Y", "add task X to project Y", "move X into the Y project".

import { readThing } from '../answers.ts'
import { ask, type Plan } from '../plan.ts'
import { askBack } from './ask-back.ts'
import { type Clause, type Command, type Created, changing, type Outcome, problem } from './command.ts'
import { draftTask } from './create-task.ts'
import { readDetails } from './details.ts'
import { findTarget, readTarget, type Target } from './target.ts'
import { draftChange, nameOf } from './update.ts'

const toProject =
  /^(assign|add|move|put|attach) (?:the )?(?:task )?(.{1,400}?) (?:to|into|under|in|with) (?:the )?(?:project (.{1,300})|(.{1,300}?) project)$/i
const isNew = /^(?:an?|another|the following|new|some|two|three) /i

export function readAssign({ head, below, said }: Clause, now: Date): Command | null {
  const match = below === '' ? toProject.exec(head) : null
  const [, verb = '', name = '', after, before] = match ?? []
  if (!match || isNew.test(name)) return null
  // "Add X to project Y" means a task only where it says so; else it is text for the project.
  if (/^add$/i.test(verb) && !/^add (?:the )?task /i.test(head)) return null

  const task = readTarget(name, ['task'])
  const project = { ...readTarget(after ?? before ?? '', ['project']), kinds: ['project'] }
  return changing(said, (earlier) =>
    assign({ task, project, earlier, said, name, canCreate: /^add$/i.test(verb), now }),
  )
}

type Assignment = {
  task: Target
  project: Target
  earlier: readonly Created[]
  said: string
  name: string
  canCreate: boolean
  now: Date
}

function* assign({ task, project, earlier, said, name, canCreate, now }: Assignment): Plan<Outcome[]> {
  const found = yield* findTarget({ ...task, kinds: ['task'] }, earlier)
  if (found.is === 'none' && canCreate) {
    const details = { ...readDetails(name, now), project: project.names[0] ?? '' }
    return yield* draftTask({ details, body: '', said }, earlier)
  }
  if (found.is !== 'one') return problem(askBack(found, task))
  const match = yield* findTarget(project, earlier)
  if (match.is !== 'one') return problem(askBack(match, project))
  const thing = readThing(yield* ask('read', { kind: 'task', id: found.found.id }))
  if (thing?.fields.project_id === match.found.id)
    return problem(`${nameOf(found.found)} is in that project already.`)
  return yield* draftChange({
    found: found.found,
    said,
    named: match.found,
    payload: { project_id: match.found.id },
  })
}
