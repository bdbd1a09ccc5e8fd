// A question: search, look again in other words if little was found, read what is worth reading whole, quote.

import type { Found, Thing } from '../answers.ts'
import { readThing } from '../answers.ts'
import { ask, type Plan, together } from '../plan.ts'
import { joinReplies, type Reply, say } from '../reply.ts'
import { chooseQuotes } from './choose.ts'
import { connectAModel } from './connect.ts'
import { describeThing } from './describe-thing.ts'
import { type Keywords, readKeywords } from './keywords.ts'
import { nameOf, quoteAll } from './quote.ts'
import { type Candidate, coverage, type Ranking, rankBlocks } from './rank.ts'

/** Under `enough` an answer says that it is not sure; under `hardly` it quotes nothing. */
const enough = 0.58
const hardly = 0.3

export function* answerQuestion(question: string, today: Date): Plan<Reply> {
  const keywords = readKeywords(question)
  const search = yield* searchTwice(keywords)
  if (search.error) return say(`I could not search this Space: ${search.error}`)
  if (search.found.length === 0) return nothingFound(keywords)

  const things = yield* readBest(search.found, keywords)
  const texts = [...search.found, ...things.flatMap(({ body }) => body ?? [])]
  const ranking = rankBlocks(texts, keywords)
  const titled = things.filter((thing) => hasFields(thing) && isAskedFor(thing, search.found, keywords))
  return compose({ question, keywords, ranking, things: titled, found: search.found, today })
}

type Findings = {
  question: string
  keywords: Keywords
  ranking: Ranking
  things: Thing[]
  found: Found[]
  today: Date
}

function compose({ keywords, ranking, things, found, today }: Findings): Reply {
  const told = things.slice(0, 3).map((thing) => describeThing(thing, today))
  const quotes = chooseQuotes(ranking, keywords)
  const sure = coverage(quotes, keywords)
  if (quotes.length === 0 && told.length === 0) return titlesOnly(found, keywords)
  if (told.length === 0 && sure < hardly) return nothingFound(keywords)

  const isSure = sure >= enough || told.length > 0
  const useful = told.length > 0 ? quotes.filter((quote) => coverage([quote], keywords) >= enough) : quotes
  const opening = isSure ? [] : ['I found nothing here that clearly answers this. The closest I have:']
  return joinReplies([
    say(...opening, ...told),
    quoteAll(isSure ? useful : useful.slice(0, 2), ranking.terms),
    say(alsoRelated(found, ranking.candidates, useful, things)),
    ...(isSure ? [] : [say(missingWords(useful, keywords))]),
  ])
}

function* searchTwice(keywords: Keywords): Plan<{ found: Found[]; error: string }> {
  const first = yield* ask('search', { q: keywords.query.slice(0, 1000) })
  if (first.isError) return { found: [], error: first.text }
  const best = chooseQuotes(rankBlocks(first.found, keywords), keywords)
  if (keywords.otherQuery === '' || (first.found.length > 0 && coverage(best, keywords) >= enough)) {
    return { found: first.found, error: '' }
  }
  const second = yield* ask('search', { q: keywords.otherQuery.slice(0, 1000) })
  return { found: [...first.found, ...second.found], error: '' }
}

/** Reads what has fields of its own, and the best page when the passages found do not hold the whole question. */
function* readBest(found: Found[], keywords: Keywords): Plan<Thing[]> {
  const distinct = [...new Map(found.map((each) => [each.id, each])).values()]
  const ranking = rankBlocks(found, keywords)
  const best = ranking.candidates[0]
  const wanted = distinct
    .slice(0, 4)
    .filter(({ kind, title }) => isRecord(kind) && holdsATerm(title, keywords))
  const whole = best && coverage([best], keywords) < 1 ? best.found : distinct[0]
  if (whole && (!best || coverage([best], keywords) < 1)) wanted.push(whole)

  const unique = [...new Map(wanted.map((each) => [each.id, each])).values()].slice(0, 3)
  const answers = yield* together(unique.map(({ kind, id }) => ask('read', { kind, id })))
  return answers.flatMap((answer) => readThing(answer) ?? [])
}

const isRecord = (kind: string) => ['task', 'project', 'ref', 'resource'].includes(kind)
const hasFields = ({ kind }: Thing) => isRecord(kind)

function holdsATerm(title: string, keywords: Keywords): boolean {
  const only = { kind: '', id: '', title: '', source: '', blocks: [title], index: 0 }
  return rankBlocks([only], keywords).candidates.length > 0
}

/** Whether the thing's title and text hold about as much of the question as anything that was found. */
function isAskedFor(thing: Thing, found: Found[], keywords: Keywords): boolean {
  const own = found
    .filter(({ id }) => id === thing.id)
    .map(({ title, blocks }) => `${title}\n${blocks.join('\n')}`)
  const text = { kind: '', id: '', title: '', source: '', blocks: [own.join('\n')], index: 0 }
  return coverage(rankBlocks([text], keywords).candidates, keywords) >= enough - 0.1
}

function nothingFound(keywords: Keywords): Reply {
  const words = keywords.terms.map(({ word }) => `“${word}”`).slice(0, 6)
  return say(
    words.length > 0
      ? `I found nothing in this Space about ${words.join(', ')}.`
      : 'I found nothing in this Space for that.',
    'Another word for the same thing may help: I look for the words themselves, their endings and small typing errors, not for meanings.',
    connectAModel,
  )
}

/** Things that match by their title alone, with nothing written in them. */
function titlesOnly(found: Found[], keywords: Keywords): Reply {
  const names = [...new Map(found.map((each) => [each.id, each])).values()].filter(({ title }) =>
    holdsATerm(title, keywords),
  )
  if (names.length === 0) return nothingFound(keywords)
  const lines = names
    .slice(0, 5)
    .map((each) => `- ${nameOf(each, '')} (${each.kind.replace('_', ' ')}, no text)`)
  return say(`I found these by their titles, with nothing written in them:`, lines.join('\n'))
}

function alsoRelated(found: Found[], candidates: Candidate[], quoted: Candidate[], things: Thing[]): string {
  const shown = new Set([...quoted.map((each) => each.found.id), ...things.map(({ id }) => id)])
  const best = quoted[0]?.score ?? 0
  const others = candidates.filter((each) => each.score >= best * 0.5 && !shown.has(each.found.id))
  const ids = new Set(others.map((each) => each.found.id))
  const names = [...new Map(found.filter(({ id }) => ids.has(id)).map((each) => [each.id, each])).values()]
  if (names.length === 0) return ''
  return `See also: ${names
    .slice(0, 3)
    .map((each) => nameOf({ ...each, title: each.title.split(' › ')[0] ?? '' }, ''))
    .join(', ')}.`
}

function missingWords(quoted: Candidate[], keywords: Keywords): string {
  const covered = new Set(quoted.flatMap((each) => [...each.covered]))
  const missing = keywords.terms.filter((term) => !covered.has(term)).map(({ word }) => `“${word}”`)
  const about = missing.length > 0 ? `I did not find ${missing.slice(0, 4).join(', ')} there. ` : ''
  return `${about}${connectAModel}`
}
