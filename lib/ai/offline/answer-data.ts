// What the properties of pages answer: "how many recipes do I have?", "list my templates", "which is the highest rated
// book?", "which albums are by Paul Chambers?".

import { type Listed, listPages, parseListed } from './answer-list.ts'
import type { Plan } from './plan.ts'
import { isMeant } from './question-words.ts'
import { plainName, type Reply, say } from './reply.ts'

type DataQuestion = {
  /** What the pages are, as it was said: "recipes". Empty: anything. */
  kind: string
  /** What else holds of them. */
  where: string[]
  /** The property of which the largest or smallest value is wanted. */
  best: { sort: string; word: string } | null
  isCount: boolean
}

const maxLength = 160
const maxPages = 3
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
  ...{ highest: '-rating', best: '-rating', top: '-rating', lowest: 'rating', worst: 'rating' },
  ...{ newest: '-year', latest: '-year', oldest: 'year', longest: '-pages', shortest: 'pages' },
}
const rating =
  /^(?:a )?rat(?:ing|ed)(?: of)? (?:(at least|over|above|below|under) )?(\d{1,3})( or (?:more|better|higher))?$/i
const marked =
  /^(?:what|which \S{1,40}|everything)(?: (?:did|have|do) i| i| is| are)* (?:mark|tag)(?:ged|ed)?(?: as)? #?(\S{1,60})$/i

/** `null` unless it may be asked about pages by their properties: whether there are such pages shows only then. */
export function readDataQuestion(asked: string): DataQuestion | null {
  if (asked.length > maxLength) return null
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
  // A list is asked for in the plural, the best of one in either.
  if (kind.split(' ').length > 4 || !(best || /s$|men$|people$/i.test(kind))) return null
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
