// Answers and research whose cited passages have changed: the source was changed or deleted since, and no longer has the
// words. Each change is told once.

import { textOf, titleOf } from '../../../contract/entities/kind.ts'
import { entityAddress, markdownLine } from '../../../core/text/cited/cited-markdown.ts'
import { holdsText } from '../../../core/text/words/holds-text.ts'
import { createEntitiesRepo } from '../../../db/repos/entities.ts'
import { type CitedAnswer, createReadyRoutinesRepo } from '../../../db/repos/ready_routines.ts'
import { createSpacesRepo } from '../../../db/repos/spaces.ts'
import type { ReadyFound, ReadyRun } from './ready-run.ts'

const maxAnswers = 500
const maxTold = 30
const maxQuote = 200

type Stale = { key: string; line: string }

export async function findStaleAnswers(run: ReadyRun): Promise<ReadyFound> {
  const repo = createReadyRoutinesRepo(run.database)
  const stale = await listStale(run, await repo.listCited(run.space_id, maxAnswers))
  const told = await repo.listTold(
    run.space_id,
    'stale_answers',
    stale.map(({ key }) => key),
  )
  const fresh = stale.filter(({ key }) => !told.has(key)).slice(0, maxTold)
  if (fresh.length === 0) return { drafts: [], answer: () => null }
  return {
    drafts: [],
    answer: () =>
      [
        `${fresh.length === 1 ? 'One answer cites' : `${fresh.length} answers cite`} what has changed since:`,
        '',
        ...fresh.map(({ line }) => line),
      ].join('\n'),
    settle: () =>
      repo.setTold(
        run.space_id,
        'stale_answers',
        fresh.map(({ key }) => key),
      ),
  }
}

async function listStale(
  { database, kinds, space_id }: ReadyRun,
  answers: readonly CitedAnswer[],
): Promise<Stale[]> {
  const entities = createEntitiesRepo(database)
  const slug = (await createSpacesRepo(database).find(space_id, [space_id]))?.slug ?? ''
  const cited = answers.flatMap(({ citations }) => citations)
  const rows = new Map<string, { updated_at: string; deleted: boolean; text: string }>()
  for (const kind of kinds.all) {
    const ids = [...new Set(cited.flatMap((one) => (one.kind === kind.type && one.id ? [one.id] : [])))]
    if (ids.length === 0) continue
    const changes = await createReadyRoutinesRepo(database).lastChanges(space_id, ids)
    for (const row of await entities.listWithinSpaces(kind, [space_id], ids))
      rows.set(row.id, {
        updated_at: row.deleted_at ?? changes.get(row.id) ?? row.updated_at,
        deleted: row.deleted_at !== null,
        text: `${titleOf(row)}\n${textOf(row[kind.bodyField])}\n${kind.searchText(row)}`,
      })
  }
  return answers.flatMap((answer) => {
    const gone = answer.citations.filter(({ id, cited_text }) => {
      const row = id === null ? undefined : rows.get(id)
      if (!row || row.updated_at <= answer.created_at) return false
      return row.deleted || !holdsText({ text: row.text, words: cited_text })
    })
    if (gone.length === 0) return []
    const href = entityAddress({ slug, segment: 'threads', id: answer.conversation_id, cite: '' })
    const what = gone
      .slice(0, 3)
      .map(({ title, cited_text }) => {
        const quote = markdownLine(cited_text.slice(0, maxQuote).toWellFormed())
        return `${markdownLine(title) || 'Untitled'}, once “${quote}”`
      })
      .join('; ')
    const latest = gone
      .map(({ id }) => rows.get(id!)!.updated_at)
      .toSorted()
      .at(-1)
    return [
      {
        key: `${answer.id} ${latest}`,
        line: `- [${markdownLine(answer.title) || 'Thread'}](${href}) of ${answer.created_at.slice(0, 10)}: ${what}`,
      },
    ]
  })
}
