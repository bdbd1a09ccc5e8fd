import { readDraft } from '../answers.ts'
import { together } from '../plan.ts'
import { type Command, problem, propose } from './command.ts'
import { type Creation, splitSeries } from './create.ts'
import { proposeTask } from './create-task.ts'
import { readDetails } from './details.ts'
import { readNamedText } from './named-text.ts'
import { splitList } from './split-list.ts'

const withTasks =
  /,? (?:with|and) (?:the |these |following )*(?:(?:two|three|four|five|\d) )?(?:tasks?|to-?dos?):? ?/i

/** A new project, and the tasks that are named with it. */
export function createProject({ rest, below, said }: Creation, now: Date): Command | null {
  const listed = withTasks.exec(rest.slice(0, 2000))
  const own = listed ? rest.slice(0, listed.index) : rest
  const tasks = listed ? readTasks(rest.slice(listed.index + listed[0].length), below) : []
  const { title, body } = readNamedText(own, listed ? '' : below)
  if (title === '') return null

  const payload = { title: title.slice(0, 500).toWellFormed(), ...(body ? { body } : {}) }
  const make = () => propose({ entity_type: 'project', action: 'create', payload }, said)
  return {
    said,
    creates: () => [{ kind: 'project', title, make }],
    *draft() {
      const answer = yield* make()
      const draft = readDraft(answer)
      if (!draft) return problem(`I could not draft the project “${payload.title}”: ${answer.text}`)
      const outcomes = [{ draft }]
      const calls = tasks.map((text) => ({ details: readDetails(text, now), body: '', said }))
      const drafted = yield* together(calls.map((task) => proposeTask(task, draft.id)))
      return [...outcomes, ...drafted.flat()]
    },
  }
}

function readTasks(text: string, below: string): string[] {
  const listed = splitList(below) ?? []
  return [...splitSeries(text), ...listed].slice(0, 20)
}
