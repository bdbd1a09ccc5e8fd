import type { QuoteCheck } from '../../contract/card.ts'
import type { Queryable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createLinksRepo } from '../../db/repos/links.ts'
import { findNearTexts } from '../../db/repos/near_texts.ts'
import { textOf, titleOf } from '../../entities/kind.ts'
import type { Kinds } from '../../entities/kinds.ts'
import { normalizeName } from '../../links/normalize-name.ts'
import { wordsOf } from '../../search/words.ts'
import { computeHunks } from '../hunks.ts'
import { type FoundQuote, findQuotes, shownQuote } from './find-quotes.ts'
import { judgeQuote, type QuoteSource } from './judge-quote.ts'
import { quoteStretches, quoteWords } from './quote-words.ts'

/** Quotations of one draft that are looked up; the rest are said to be unchecked. */
const most = 40
const nearTexts = 6
const mostListed = 200
/** Words of a phrase that is looked for. */
const phrase = 8

export type DraftText = { field: string; before: string; after: string }

type Entity = { entity_type: string; entity_id: string }

export type QuoteContext = {
  space_id: string
  /** What the draft changes: not a source of itself. */
  target: Entity
  /** What the agent was given. */
  given: readonly Entity[]
  /** What may be a source. */
  entity_types: readonly string[]
  /** What the Space is searched in. */
  languages: readonly string[]
}

/** The quotations in what a draft adds to its texts, each held against the texts of the Space. */
export async function checkQuotes(
  tx: Queryable,
  kinds: Kinds,
  texts: readonly DraftText[],
  context: QuoteContext,
): Promise<(QuoteCheck & { field: string })[]> {
  const load = createLoader(tx, kinds, context.space_id)
  const checks: (QuoteCheck & { field: string })[] = []
  for (const { field, before, after } of texts) {
    const { quotes, more } = addedQuotes(before, after, mostListed - checks.length)
    for (const quote of quotes) {
      const isRoom = checks.length < most && shownQuote(quote.text) === quote.text
      const check = isRoom
        ? await checkQuote(tx, quote, context, load)
        : unchecked(quote, 'There are too many to check.')
      checks.push({ field, ...check, quote: shownQuote(quote.text) })
    }
    const last = checks.at(-1)
    if (last && more > 0)
      last.message += ` ${more.toLocaleString('en')} more quotations were not checked either.`
  }
  return checks
}

/** Those that touch a line which comes, and did not stand there before; no more than asked for, the rest counted. */
export function addedQuotes(
  before: string,
  after: string,
  most: number,
): { quotes: FoundQuote[]; more: number } {
  const found = findQuotes(after)
  if (found.length === 0) return { quotes: [], more: 0 }
  const old = ` ${quoteWords(before).join(' ')} `
  const added = computeHunks(before, after).map(({ after: { start, lines } }) => ({
    start,
    end: start + lines.length,
  }))
  const quotes: FoundQuote[] = []
  let more = 0
  let at = 0
  for (const quote of found) {
    while (added[at] && added[at]!.end <= quote.from) at++
    if (!added[at] || added[at]!.start >= quote.to) continue
    if (quotes.length >= most) more++
    else if (!old.includes(` ${quoteWords(quote.text).join(' ')} `)) quotes.push(quote)
  }
  return { quotes, more }
}

type Load = (entity: Entity) => Promise<QuoteSource | null>

async function checkQuote(
  tx: Queryable,
  quote: FoundQuote,
  context: QuoteContext,
  load: Load,
): Promise<QuoteCheck> {
  const named = quote.attributed_to === null ? null : await resolve(tx, context, quote.attributed_to, load)
  const near = await findNearTexts(tx, {
    space_id: context.space_id,
    entity_types: context.entity_types,
    phrases: phrasesOf(quote.text),
    languages: context.languages,
    limit: nearTexts,
  })
  const others = [...near, ...context.given].filter(({ entity_id }) => entity_id !== context.target.entity_id)
  const sources = await loadAll([...(named ? [named] : []), ...others], load)
  const { verdict, source, nearest } = judgeQuote(quote.text, sources)
  const isElsewhere = verdict === 'verbatim' && named !== null && source?.entity_id !== named.entity_id
  const isUnknown = verdict === 'not_found' && named === null && quote.attributed_to !== null
  if (isUnknown)
    return unchecked(quote, `Nothing here is called ‘${quote.attributed_to}’, so it cannot be checked.`)
  const known = isElsewhere ? 'misattributed' : verdict
  return {
    quote: quote.text,
    verdict: known,
    message: messages[known](source?.title ?? '', quote.attributed_to ?? ''),
    attributed_to: quote.attributed_to,
    source: source && { entity_type: source.entity_type, entity_id: source.entity_id, title: source.title },
    nearest,
  }
}

/** Each stretch, its beginning and its end: a quotation may reach over the border of two passages. */
const phrasesOf = (text: string): string[] =>
  quoteStretches(text).flatMap((words) => {
    const pieces = [words.slice(0, 60), words.slice(0, phrase), words.slice(-phrase)]
    return pieces.map((piece) => wordsOf(piece.join(' ')).join(' '))
  })

const messages = {
  verbatim: (title: string) => `The quotation stands in ‘${title}’, word for word.`,
  altered: (title: string) => `The quotation is not what ‘${title}’ says: words were changed.`,
  spliced: (title: string) =>
    `The quotation is put together from several places, as of ‘${title}’, without saying so.`,
  misattributed: (title: string, named: string) => `The quotation stands in ‘${title}’, not in ‘${named}’.`,
  not_found: () => 'The quotation stands nowhere in this Space.',
}

const unchecked = ({ text, attributed_to }: FoundQuote, message: string): QuoteCheck => ({
  quote: text,
  verdict: 'unchecked',
  message: `The quotation was not checked. ${message}`,
  attributed_to,
  source: null,
  nearest: null,
})

async function resolve(tx: Queryable, { space_id }: QuoteContext, name: string, load: Load) {
  const entity = await createLinksRepo(tx).resolve(space_id, normalizeName(name))
  return entity && (await load(entity))
}

async function loadAll(entities: readonly Entity[], load: Load): Promise<QuoteSource[]> {
  const sources = new Map<string, QuoteSource>()
  for (const entity of entities) {
    const source = sources.has(entity.entity_id) ? null : await load(entity)
    if (source) sources.set(entity.entity_id, source)
  }
  return [...sources.values()]
}

/** Reads each text once. */
function createLoader(tx: Queryable, kinds: Kinds, spaceId: string): Load {
  const loaded = new Map<string, QuoteSource | null>()
  return async ({ entity_type, entity_id }) => {
    const known = loaded.get(entity_id)
    if (known !== undefined) return known
    const kind = kinds.find(entity_type)
    const row = kind ? await createEntitiesRepo(tx).find(kind, spaceId, entity_id) : null
    const text = kind && row ? `${kind.searchText(row)}\n\n${textOf(row[kind.bodyField])}` : ''
    const source = row && { entity_type, entity_id, title: titleOf(row), words: quoteWords(text) }
    loaded.set(entity_id, source)
    return source
  }
}
