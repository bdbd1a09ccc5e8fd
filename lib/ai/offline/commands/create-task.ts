import { readDraft } from '../answers.ts'
import { type Plan, together } from '../plan.ts'
import { askBack } from './ask-back.ts'
import type { Command, Created, Outcome } from './command.ts'
import { problem, propose } from './command.ts'
import { type Details, readDetails } from './details.ts'
import { findTarget, readTarget, type Target } from './target.ts'

type NewTask = { details: Details; body: string; said: string }

/** Longer than this, and the whole text becomes the body beneath a shortened title. */
const longestTitle = 200

/** A command that creates one task or several, under a project if one is named. */
export function creatingTasks(texts: string[], body: string, said: string, now: Date): Command | null {
  const tasks = texts
    .map((text) => ({ details: readDetails(text, now), body, said }))
    .filter(({ details }) => details.title !== '')
    .slice(0, 20)
  if (tasks.length === 0) return null

  return {
    said,
    creates: () => [],
    *draft(earlier) {
      return (yield* together(tasks.map((task) => draftTask(task, earlier)))).flat()
    },
  }
}

export function* draftTask({ details, body, said }: NewTask, earlier: readonly Created[]): Plan<Outcome[]> {
  const project = details.project === undefined ? null : readProject(details.project)
  const match = project ? yield* findTarget(project, earlier) : null
  if (match && match.is !== 'one') return problem(askBack(match, project!))
  return yield* proposeTask({ details, body, said }, match?.found.id)
}

const readProject = (name: string): Target => ({ ...readTarget(name, ['project']), kinds: ['project'] })

export function* proposeTask({ details, body, said }: NewTask, projectId?: string): Plan<Outcome[]> {
  const { title, due_on, priority } = details
  const isLong = title.length > longestTitle
  const payload = {
    title: isLong ? `${title.slice(0, 120).toWellFormed().trim()}…` : title,
    ...(body || isLong ? { body: [isLong ? title : '', body].filter(Boolean).join('\n\n') } : {}),
    ...(due_on ? { due_on } : {}),
    ...(priority ? { priority } : {}),
    ...(projectId ? { project_id: projectId } : {}),
  }
  const answer = yield* propose({ entity_type: 'task', action: 'create', payload }, said)
  const draft = readDraft(answer)
  return draft ? [{ draft }] : problem(`I could not draft the task “${payload.title}”: ${answer.text}`)
}
