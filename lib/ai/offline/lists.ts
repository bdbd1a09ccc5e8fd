// Questions that a list of names answers: by kind, status and day ("Which tasks are open?", "what is due today?"), and
// by the properties of pages ("how many recipes do I have?", "which is the highest rated book?").

import { extractDay } from '../../core/text/dates/extract-day.ts'
import { contentWords } from '../../core/text/words/content-words.ts'
import { kindNamed, labelOf } from './command.ts'
import { call, type Plan } from './conversation.ts'
import { plainName } from './plain-name.ts'
import { isMeant } from './question.ts'
import { type Reply, say } from './reply.ts'

type ListQuestion = {
  kind: string
  status: string | null
  /** Only what is due: by this day (YYYY-MM-DD), or '' for any day. */
  due: string | null
}

const maxListQuestion = 120
const maxPages = 3
/** How the last line of an unfinished list begins. */
const goesOn = 'There are more'
const statuses = ['open', 'done', 'active', 'cancelled']
const fillers = ['due', 'today', 'tomorrow', 'week', 'next', 'left', 'currently', 'space', 'soon']

/** `null` unless the text asks for one kind of item, perhaps by status or day, and for nothing else. */
export function readListQuestion(text: string, now: Date): ListQuestion | null {
  if (text.length > maxListQuestion) return null
  const words = contentWords(text)
  const plural = words.find((word) => word.endsWith('s') && kindNamed(word) !== null)
  const status = words.find((word) => statuses.includes(word)) ?? null
  const rest = words.filter((word) => word !== plural && word !== status && !fillers.includes(word))
  const isDue = words.includes('due')
  if (rest.length > 0 || !(plural || isDue)) return null
  const kind = (plural && kindNamed(plural)) || 'task'
  const day = extractDay(text.replace(/[?.! ]+$/, ''), now)?.day ?? ''
  return { kind, status, due: isDue ? day : null }
}

export function* answerList({ kind, status, due }: ListQuestion): Plan<Reply> {
  const lines = yield* listPages({ kind, ...(status ? { status } : {}) }, maxPages)
  const items = lines.flatMap(parseListed)
  const wanted = due === null ? items : items.filter((item) => isDue(item, due)).toSorted(byDay)
  const isMore = lines.at(-1)?.startsWith(goesOn)
  const names = wanted.map(({ title, facts }) => `- **${plainName(title)}**${facts}`)
  const noun = `${labelOf(kind)}${wanted.length === 1 ? '' : 's'}`
  const label = [wanted.length || 'no', status, noun, due === null ? '' : 'with a due date'].filter(Boolean)
  const head = `I found ${label.join(' ')}${wanted.length > 0 ? ':' : '.'}`
  return say(head, names.join('\n'), isMore ? 'There are more.' : '')
}

/** The lines of the list, which goes on page by page after its last item. */
function* listPages(filter: Record<string, unknown>, pages: number): Plan<string[]> {
  const { text } = yield* call('list', filter)
  const lines = text.split('\n')
  const after = lines.flatMap(parseListed).at(-1)?.id
  if (pages === 1 || !after || !lines.at(-1)?.startsWith(goesOn)) return lines
  return [...lines, ...(yield* listPages({ ...filter, after }, pages - 1))]
}

export type Listed = { kind: string; id: string; title: string; facts: string; day: string }

/** What a list names, in its order. */
export const listedIn = (text: string): Listed[] => text.split('\n').flatMap(parseListed)

function parseListed(line: string): Listed[] {
  const [, kind = '', id = '', title = '', facts = ''] =
    /^(\w+) ([0-9a-f-]{36}) “(.*?)”( \(.*\))?$/.exec(line) ?? []
  return id ? [{ kind, id, title, facts, day: /due (\d{4}-\d\d-\d\d)/.exec(facts)?.[1] ?? '' }] : []
}

const isDue = ({ day, facts }: Listed, until: string) =>
  day !== '' && !/\((?:done|cancelled)/.test(facts) && (until === '' || day <= until)

const byDay = (one: Listed, other: Listed) => one.day.localeCompare(other.day)

type DataQuestion = {
  /** What the pages are, as it was said: "recipes". Empty: anything. */
  kind: string
  /** What else holds of them. */
  where: string[]
  /** The property of which the largest or smallest value is wanted. */
  best: { sort: string; word: string } | null
  isCount: boolean
}

const maxDataQuestion = 160
const end = /[?.! ]+$/
const asks =
  /^(?:(how many)|list|show(?: me)?|which(?: (?:is|are|of))?|what (?:is|are) (?=my |the ))(?: ?(?:all|of|my|the|our))* /i
const having =
  /(?: (?:do|did|have) (?:i|we)(?: have| own| got| keep)?| are there| exist| there are)(?: in (?:this|my) .*)?$/i
const joined =
  /^(.{1,60}?)(?: (?:are|is|were|was|have|has|that are|there are))? (?:a (?=rating )|(?=rated (?:[a-z]{2,6} ){0,2}\d)|(?:by|from|in|with|about|of|near|tagged|marked as|called) )(.{1,80})$/i
const superlative =
  /^(highest|best|top|lowest|worst|newest|latest|oldest|longest|shortest)(?:[ -]?rated| scored)? (?:of (?:all )?)?(?:my |the )?(.{1,60})$/i
const sorts: Record<string, string> = {
  highest: '-rating',
  best: '-rating',
  top: '-rating',
  lowest: 'rating',
  worst: 'rating',
  newest: '-year',
  latest: '-year',
  oldest: 'year',
  longest: '-pages',
  shortest: 'pages',
}
const rating =
  /^(?:a )?rat(?:ing|ed)(?: of)? (?:(at least|over|above|below|under) )?(\d{1,3})( or (?:more|better|higher))?$/i
const marked =
  /^(?:what|which \S{1,40}|everything)(?: (?:did|have|do) i| i| is| are)* (?:mark|tag)(?:ged|ed)?(?: as)? #?(\S{1,60})$/i

/** `null` unless it may be asked about pages by their properties: whether there are such pages shows only then. */
export function readDataQuestion(asked: string): DataQuestion | null {
  if (asked.length > maxDataQuestion) return null
  const text = asked
    .trim()
    .replace(end, '')
    .replace(/[\s;|]+/g, ' ')
  const tag = marked.exec(text.replace(/^(?:list|show(?: me)?) /i, ''))?.[1]
  if (tag) return { kind: '', where: [`tag = ${tag}`], best: null, isCount: false }
  const start = asks.exec(text)
  if (!start) return null
  const isCount = start[1] !== undefined
  const [, subject = '', link = ''] = joinedParts(text.slice(start[0].length).replace(having, ''))
  const [, word = '', of = ''] = superlative.exec(subject) ?? []
  const best = word ? { sort: sorts[word.toLowerCase()]!, word: word.toLowerCase() } : null
  const kind = (of || subject).replace(/^(?:my|the) /i, '')
  // A list is asked for in the plural, the best of one in either; what "is" is one, whatever its last letter.
  const isPlural = /s$|men$|people$/i.test(kind) && !/^(?:what|which) is\b/i.test(start[0])
  if (kind.split(' ').length > 4 || !(best || isPlural)) return null
  return { kind, where: link ? [conditionOf(link)] : [], best, isCount }
}

const joinedParts = (rest: string): string[] => [...(joined.exec(rest) ?? [rest, rest, ''])]

function conditionOf(link: string): string {
  const [, side = '', value, orMore] = rating.exec(link) ?? []
  if (!value) return `any = ${link.replace(/^(?:the|my) /i, '')}`
  const sign = orMore || /least/i.test(side) ? '>=' : /over|above/i.test(side) ? '>' : side ? '<' : '='
  return `rating ${sign} ${value}`
}

/** `null` when no page is such a thing: then it is a question like any other. */
export function* answerData({ kind, where, best, isCount }: DataQuestion): Plan<Reply | null> {
  const kinds = kind ? [`any = ${formsOf(kind).join(' | ')}`] : []
  const sort = best ? { sort: best.sort } : {}
  const lines = yield* listPages({ where: [...kinds, ...where].join('; '), ...sort }, maxPages)
  const found = Number(/^Pages that match: (\d+)/.exec(lines[0] ?? '')?.[1] ?? 0)
  const listed = lines.flatMap(parseListed)
  const items = listed.filter(({ title }) => isMeant(title, kind))
  if (items.length === 0) return null
  if (best) return sayBest(items, best)
  const isWhole = listed.length === found
  const count = isWhole ? items.length : found
  const head = `I found ${count} ${count === 1 ? 'page' : 'pages'}${kind ? ` for “${plainName(kind)}”` : ''}`
  const names = isCount && !isWhole ? '' : items.map(toLine).join('\n')
  return say(names ? `${head}:` : `${head}.`, names, isWhole ? '' : 'There are more.')
}

/** What pages of a kind have in common is named in the singular or the plural. */
function formsOf(kind: string): string[] {
  const one = kind.replace(/ies$/i, 'y').replace(/s$/i, '')
  return [...new Set([kind, one, `${one}s`])]
}

const toLine = ({ title, facts }: Listed) => `- **${plainName(title)}**${facts}`

/** Those that share the first place. */
function sayBest(items: readonly Listed[], { sort, word }: { sort: string; word: string }): Reply | null {
  const name = sort.replace('-', '')
  const shown = new RegExp(`\\b${name}: ([^,)]{1,60})`, 'i')
  const values = items.map(({ facts }) => shown.exec(facts)?.[1])
  if (values[0] === undefined) return null
  const best = items.filter((_, at) => values[at] === values[0])
  return say(`By ${name}, ${word} of ${items.length}:`, best.map(toLine).join('\n'))
}
