// "Which tasks are open?", "what is due today?", "list my projects", "what is in this Space?".

import { extractDay } from '../../text/dates/extract-day.ts'
import { kindNamed, labelOf } from './find-target.ts'
import { call, type Plan } from './plan.ts'
import { contentWords } from './question-words.ts'
import { plainName, type Reply, say } from './reply.ts'

type ListQuestion = {
  kind: string | null
  status: string | null
  /** Only what is due: by this day (YYYY-MM-DD), or '' for any day. */
  due: string | null
}

const maxLength = 120
const maxPages = 3
/** How the last line of an unfinished list begins. */
const goesOn = 'There are more'
const whole = /^(?:what(?:['’]s| is)(?: there)?|show(?: me)? what is) in (?:this|the|my) space[?.! ]*$/i
const statuses = ['open', 'done', 'active', 'cancelled']
const fillers = ['due', 'today', 'tomorrow', 'week', 'next', 'left', 'currently', 'space', 'soon']

/** `null` unless the text asks for one kind of item, perhaps by status or day, and for nothing else. */
export function readListQuestion(text: string, now: Date): ListQuestion | null {
  if (text.length > maxLength) return null
  if (whole.test(text)) return { kind: null, status: null, due: null }
  const words = contentWords(text)
  const plural = words.find((word) => word.endsWith('s') && kindNamed(word) !== null)
  const status = words.find((word) => statuses.includes(word)) ?? null
  const rest = words.filter((word) => word !== plural && word !== status && !fillers.includes(word))
  const isDue = words.includes('due')
  if (rest.length > 0 || !(plural || isDue)) return null
  const kind = plural ? kindNamed(plural) : 'task'
  const day = extractDay(text.replace(/[?.! ]+$/, ''), now)?.day ?? ''
  return { kind, status, due: isDue ? day : null }
}

export function* answerList({ kind, status, due }: ListQuestion): Plan<Reply> {
  const filter = { ...(kind ? { kind } : {}), ...(status ? { status } : {}) }
  const lines = yield* listPages(filter, kind ? maxPages : 1)
  const items = lines.flatMap(parseListed)
  const wanted = due === null ? items : items.filter((item) => isDue(item, due)).toSorted(byDay)
  const isMore = lines.at(-1)?.startsWith(goesOn)
  const names = wanted.map(({ title, facts }) => `- **${plainName(title)}**${facts}`)
  const noun = `${labelOf(kind ?? '')}${wanted.length === 1 ? '' : 's'}`
  const label = [wanted.length || 'no', status, noun, due === null ? '' : 'with a due date'].filter(Boolean)
  const head = kind ? `I found ${label.join(' ')}${wanted.length > 0 ? ':' : '.'}` : plainName(lines[0] ?? '')
  return say(head, names.join('\n'), isMore ? 'There are more.' : '')
}

/** The lines of the list, which goes on page by page after its last item. */
export function* listPages(filter: Record<string, unknown>, pages: number): Plan<string[]> {
  const { text } = yield* call('list', filter)
  const lines = text.split('\n')
  const after = lines.flatMap(parseListed).at(-1)?.id
  if (pages === 1 || !after || !lines.at(-1)?.startsWith(goesOn)) return lines
  return [...lines, ...(yield* listPages({ ...filter, after }, pages - 1))]
}

export type Listed = { kind: string; id: string; title: string; facts: string; day: string }

export function parseListed(line: string): Listed[] {
  const [, kind = '', id = '', title = '', facts = ''] =
    /^(\w+) ([0-9a-f-]{36}) “(.*?)”( \(.*\))?$/.exec(line) ?? []
  return id ? [{ kind, id, title, facts, day: /due (\d{4}-\d\d-\d\d)/.exec(facts)?.[1] ?? '' }] : []
}

const isDue = ({ day, facts }: Listed, until: string) =>
  day !== '' && !/\((?:done|cancelled)/.test(facts) && (until === '' || day <= until)

const byDay = (one: Listed, other: Listed) => one.day.localeCompare(other.day)
