// What somebody could ask in a Space that they do not know yet: made from what it holds, without a model.

import { cleanLine } from '../core/text/clean.ts'
import type { Queryable } from '../db/pool.ts'
import { createOverviewRepo } from '../db/repos/overview.ts'
import { loadNoteSettings } from '../space/notes.ts'

const maxTitleLength = 60

const forEmptySpace = [
  'What can you do?',
  'Create a task to write down what this Space is for',
  'Add a page called “First notes”',
]

/** Three questions that the companion can answer from what the Space holds, with or without a model. */
export async function suggestQuestions(db: Queryable, spaceId: string): Promise<string[]> {
  const overview = createOverviewRepo(db)
  const { templates_page: notBelow } = await loadNoteSettings(db, spaceId)
  const passages = await overview.listRecentHeadings(spaceId, { limit: 12, notBelow })
  const [task] = await overview.listOpenTasks(spaceId, 1)

  const named = passages.filter(({ title }) => title.length <= maxTitleLength)
  const deep = named.find(({ heading }) => heading !== null && heading.length <= maxTitleLength)
  const other = named.find(({ title }) => title !== deep?.title)
  const questions = [
    deep?.heading && `What does “${cleanLine(deep.title)}” say about “${cleanLine(deep.heading)}”?`,
    task && (task.due_on ? 'Which tasks are due next?' : 'Which tasks are open?'),
    other && `What does “${cleanLine(other.title)}” say?`,
    named.length > 0 && 'What is in this Space?',
    ...forEmptySpace,
  ]
  return questions
    .filter((question) => typeof question === 'string' && question !== '')
    .slice(0, 3) as string[]
}
