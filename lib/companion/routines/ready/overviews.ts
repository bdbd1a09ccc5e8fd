// What the morning brief and the weekly review are made of, found by code: without a model it is the answer, with one it
// is what the model is given.

import { today } from '../../../core/schedule/calendar.ts'
import { startOfDay } from '../../../core/schedule/instants.ts'
import { addDays } from '../../../core/schedule/zoned.ts'
import { entityAddress, markdownLine } from '../../../core/text/cited/cited-markdown.ts'
import { createReadyRoutinesRepo, type NamedRow } from '../../../db/repos/ready_routines.ts'
import { createSpacesRepo } from '../../../db/repos/spaces.ts'
import type { ReadyRun } from './ready-run.ts'

export type OverviewName = 'morning_brief' | 'weekly_review'

type Place = Pick<ReadyRun, 'database' | 'calendar' | 'space_id'>
type Section = { heading: string; lines: string[] }

const maxLines = 20
const maxMail = 50

/** Markdown; empty where there is nothing. */
export async function overview(name: OverviewName, place: Place): Promise<string> {
  const sections = await (name === 'morning_brief' ? brief(place) : review(place))
  return sections
    .filter(({ lines }) => lines.length > 0)
    .map(({ heading, lines }) => `## ${heading}\n\n${lines.join('\n')}`)
    .join('\n\n')
}

async function brief({ database, calendar, space_id }: Place): Promise<Section[]> {
  const repo = createReadyRoutinesRepo(database)
  const day = today(calendar)
  const yesterday = startOfDay(addDays(day, -1), calendar.zone())
  const mailSince = startOfDay(addDays(day, -3), calendar.zone())
  const link = await linkTo(database, space_id)
  const [due, mail, changed] = await Promise.all([
    repo.listDue(space_id, day, maxLines),
    repo.listUnanswered(space_id, mailSince, maxMail),
    repo.listChangedSince(space_id, yesterday, maxLines),
  ])
  const asking = mail.filter(({ text }) => asksSomething(text)).slice(0, maxLines)
  return [
    {
      heading: 'Due',
      lines: due.map((row) => `- ${link('tasks', row)}${row.at === day ? '' : `, due ${row.at}`}`),
    },
    {
      heading: 'Mail that asks something',
      lines: asking.map((row) => `- ${link('mail', row)} from ${markdownLine(row.from)}`),
    },
    {
      heading: 'Changed since yesterday',
      lines: changed.map((row) => `- ${link('pages', row)}${row.is_new ? ', new' : ''}`),
    },
  ]
}

async function review({ database, calendar, space_id }: Place): Promise<Section[]> {
  const repo = createReadyRoutinesRepo(database)
  const week = startOfDay(addDays(today(calendar), -7), calendar.zone())
  const link = await linkTo(database, space_id)
  const [undated, stepless, notes] = await Promise.all([
    repo.listUndated(space_id, maxLines),
    repo.listStepless(space_id, maxLines),
    repo.listChangedSince(space_id, week, maxLines),
  ])
  const lines = (segment: string, rows: readonly NamedRow[]) => rows.map((row) => `- ${link(segment, row)}`)
  return [
    { heading: 'Open tasks without a date', lines: lines('tasks', undated) },
    { heading: 'Projects without a next step', lines: lines('projects', stepless) },
    {
      heading: 'Notes of the week',
      lines: notes.map((row) => `- ${link('pages', row)}${row.is_new ? ', new' : ''}`),
    },
  ]
}

/** A question in what the sender wrote: not in quoted lines, and not in an address. */
export const asksSomething = (text: string): boolean =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('>'))
    .some((line) => /[\p{L}\p{N})”"’]\s?\?(?:\s|["”’)]|$)/u.test(line) || /[？؟]/.test(line))

async function linkTo(database: Place['database'], spaceId: string) {
  const slug = (await createSpacesRepo(database).find(spaceId, [spaceId]))?.slug ?? ''
  return (segment: string, { id, title }: Pick<NamedRow, 'id' | 'title'>) =>
    `[${markdownLine(title) || 'Untitled'}](${entityAddress({ slug, segment, id, cite: '' })})`
}
