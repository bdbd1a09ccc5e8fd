import type { Found, Thing } from '../answers.ts'
import { joinReplies, type Reply, say } from '../reply.ts'
import { chooseQuotes } from './choose.ts'
import { connectAModel } from './connect.ts'
import { describeThing } from './describe-thing.ts'
import { holdsATerm } from './holds-a-term.ts'
import type { Keywords } from './keywords.ts'
import { nothingFound, quotedWords } from './nothing-found.ts'
import { nameOf, quoteAll } from './quote.ts'
import { type Candidate, coverage, enough, type Ranking } from './rank.ts'

/** Below this share of the question, a quotation would mislead more than it helps. */
const hardly = 0.51

export type Findings = {
  keywords: Keywords
  ranking: Ranking
  /** Tasks, projects, refs and resources that are asked for. */
  records: Thing[]
  found: Found[]
  today: Date
}

/** The answer: the fields of what was asked for, quotations, and where else to look; or plainly that there is none. */
export function composeAnswer(findings: Findings): Reply {
  const { keywords, ranking, records, found, today } = findings
  const told = records.slice(0, 3).map((thing) => describeThing(thing, today))
  const chosen = chooseQuotes(ranking, keywords)
  const sure = coverage(chosen, keywords)
  if (told.length === 0 && chosen.length === 0) return titlesOnly(found, keywords)
  if (told.length === 0 && sure < hardly) return nothingFound(keywords, chosen)

  const isSure = sure >= enough || told.length > 0
  const quotes = told.length > 0 ? besidesFields(findings, chosen) : chosen
  return joinReplies([
    say(...(isSure ? [] : ['I found nothing here that clearly answers this. The closest I have:']), ...told),
    quoteAll(isSure ? quotes : quotes.slice(0, 2), ranking.terms, keywords.wants),
    say(alsoRelated(findings, quotes)),
    say(isSure ? '' : doubts(quotes, keywords)),
  ])
}

/** Beside the fields of records: the best block of each one's own text, and what else holds most of the question. */
function besidesFields({ records, ranking, keywords }: Findings, chosen: Candidate[]): Candidate[] {
  const values = new Set(records.flatMap(({ fields }) => Object.values(fields)))
  const isText = ({ found, block }: Candidate) => !values.has(found.blocks[block])
  const own = records.flatMap(
    ({ id }) => ranking.candidates.find((each) => each.found.id === id && isText(each)) ?? [],
  )
  const others = chosen.filter((quote) => isText(quote) && coverage([quote], keywords) >= enough)
  return [...new Set([...own, ...others])]
}

/** Things that match by their title alone, with nothing written in them. */
function titlesOnly(found: Found[], keywords: Keywords): Reply {
  const titled = firstOfEach(found).filter(({ title }) => holdsATerm(title, keywords))
  if (titled.length === 0) return nothingFound(keywords, [])
  const lines = titled.slice(0, 5).map((each) => `- ${nameOf(each, '')} (${each.kind.replace('_', ' ')})`)
  return say('I found these by their titles, with nothing written in them:', lines.join('\n'))
}

function alsoRelated({ found, ranking, records, keywords }: Findings, quotes: Candidate[]): string {
  const shown = new Set([...quotes.map((each) => each.found.id), ...records.map(({ id }) => id)])
  const best = quotes[0]?.score ?? 0
  const others = ranking.candidates.filter(
    (each) => each.score >= best * 0.5 && coverage([each], keywords) >= 0.5 && !shown.has(each.found.id),
  )
  const ids = new Set(others.map((each) => each.found.id))
  const names = firstOfEach(found)
    .filter(({ id }) => ids.has(id))
    .slice(0, 3)
    .map(titleIn)
  return names.length > 0 ? `See also: ${names.join(', ')}.` : ''
}

const titleIn = (found: Found) => nameOf({ ...found, title: found.title.split(' › ')[0] ?? '' }, '')

const firstOfEach = (found: Found[]) => [...new Map(found.map((each) => [each.id, each])).values()]

function doubts(quotes: Candidate[], keywords: Keywords): string {
  const covered = new Set(quotes.flatMap((each) => [...each.covered]))
  const missing = keywords.terms.filter((term) => !covered.has(term))
  return `${missing.length > 0 ? `I did not find ${quotedWords(missing)} there. ` : ''}${connectAModel}`
}
