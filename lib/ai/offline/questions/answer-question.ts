// A question: search, look again in other words if little was found, read what is worth reading whole, quote.

import type { Found, Thing } from '../answers.ts'
import { readThing } from '../answers.ts'
import { ask, type Plan, together } from '../plan.ts'
import { type Reply, say } from '../reply.ts'
import { chooseQuotes } from './choose.ts'
import { composeAnswer } from './compose-answer.ts'
import { holdsATerm, justText } from './holds-a-term.ts'
import { type Keywords, readKeywords } from './keywords.ts'
import { coverage, enough, rankBlocks } from './rank.ts'

export function* answerQuestion(question: string, today: Date): Plan<Reply> {
  const keywords = readKeywords(question)
  const search = yield* searchTwice(keywords)
  if (search.error) return say(`I could not search this Space: ${search.error}`)

  const things = yield* readBest(search.found, keywords)
  const texts = [...search.found, ...things.flatMap(({ body }) => body ?? [])]
  const records = things.filter((thing) => isRecord(thing.kind) && isAskedFor(thing, search.found, keywords))
  return composeAnswer({
    keywords,
    ranking: rankBlocks(texts, keywords),
    records,
    found: search.found,
    today,
  })
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

/** Reads what has fields of its own, and the two best texts: search gives only a few passages of each. */
function* readBest(found: Found[], keywords: Keywords): Plan<Thing[]> {
  const distinct = [...new Map(found.map((each) => [each.id, each])).values()]
  const records = distinct
    .slice(0, 4)
    .filter(({ kind, title }) => isRecord(kind) && holdsATerm(title, keywords))
  const ranked = rankBlocks(found, keywords).candidates.map((candidate) => candidate.found)
  const best = [...new Map(ranked.map((each) => [each.id, each])).values()].slice(0, 2)

  const wanted = new Map([...best, ...records].slice(0, 4).map((each) => [each.id, each]))
  const answers = yield* together([...wanted.values()].map(({ kind, id }) => ask('read', { kind, id })))
  return answers.flatMap((answer) => readThing(answer) ?? [])
}

const isRecord = (kind: string) => ['task', 'project', 'ref', 'resource'].includes(kind)

/** Whether the thing's title and text hold most of the question. */
function isAskedFor({ id }: Thing, found: Found[], keywords: Keywords): boolean {
  const own = found
    .filter((each) => each.id === id)
    .map(({ title, blocks }) => `${title}\n${blocks.join('\n')}`)
  return coverage(rankBlocks([justText(own.join('\n'))], keywords).candidates, keywords) >= enough - 0.1
}
