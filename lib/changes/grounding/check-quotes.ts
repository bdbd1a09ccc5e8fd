import { resolveName } from '../../content/links/link-index.ts'
import type { QuoteCheck, QuoteVerdict } from '../../contract/changes/provenance.ts'
import { type Kind, textOf, titleOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { quoteShownSingly } from '../../core/text/quote-name.ts'
import { quoteParts } from '../../core/text/words/quote-words.ts'
import { wordsOf } from '../../core/text/words/words.ts'
import type { Queryable } from '../../db/pool.ts'
import { findNearTexts } from '../../db/repos/chunk_rankings.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createToolResultsRepo } from '../../db/repos/tool_calls.ts'
import { type TextThreads, textTask } from '../../jobs/workers/text-threads.ts'
import { creditChange, type FoundQuote, readAddedQuotes, shownQuote } from './find-quotes.ts'
import { createQuoteSource, type Judgement, judgeQuote, type QuoteSource } from './judge-quote.ts'

/** Quotations of one draft that are looked up, and characters of one; the rest are said to be unchecked. */
const maxChecked = 40

const maxQuoteChars = 50_000

const nearTexts = 6

const maxListed = 200

/** Words of a phrase that is looked for. */
const phrase = 8

export type DraftText = { field: string; before: string; after: string }

type Entity = { entity_type: string; entity_id: string }

type QuoteContext = {
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

export type QuoteDeps = { kinds: Kinds; threads: TextThreads }

const addedTask = textTask(new URL('./find-quotes.ts', import.meta.url), readAddedQuotes)

/** Of a text whose quotations could not be found within the limits. */
const unread: QuoteCheck = {
  quote: '',
  verdict: 'unchecked',
  message: 'The text is too complex to look for quotations, so none was checked.',
  attributed_to: null,
  source: null,
  nearest: null,
}

/** The quotations in what a draft adds to its texts, each held against the texts of the Space. Not for a transaction. */
export async function checkQuotes(
  db: Queryable,
  { kinds, threads }: QuoteDeps,
  texts: readonly DraftText[],
  context: QuoteContext,
): Promise<(QuoteCheck & { field: string })[]> {
  const load = createLoader(db, kinds, context.space_id)
  const checks: (QuoteCheck & { field: string })[] = []
  for (const { field, before, after } of texts) {
    const added = await threads.run(addedTask, { before, after, max: maxListed - checks.length })
    if (!added) {
      checks.push({ field, ...unread })
      continue
    }
    const { quotes, more } = added
    for (const quote of quotes) {
      const isLong = quote.text.length > maxQuoteChars
      const reason =
        checks.length >= maxChecked ? 'Too many to check.' : isLong ? 'It is too long to check.' : null
      const check = reason ? unchecked(quote, reason) : await checkQuote(db, quote, context, load)
      const message = check.message + creditChange(quote)
      const lines = { from: quote.from, to: quote.to }
      checks.push({ field, ...check, quote: shownQuote(quote.text), message, lines })
    }
    const last = checks.at(-1)
    if (last && more > 0)
      last.message += ` ${more.toLocaleString('en')} more quotations were not checked either.`
  }
  return checks
}

async function checkQuote(
  db: Queryable,
  quote: FoundQuote,
  context: QuoteContext,
  load: Load,
): Promise<QuoteCheck> {
  const named = quote.attributed_to === null ? null : await resolve(db, context, quote.attributed_to, load)
  const { verdict, source, nearest, changed } = await judge(db, quote, context, { named, load })
  const isElsewhere = faithful.has(verdict) && named !== null && source?.entity_id !== named.entity_id
  const isUnknown = verdict === 'not_found' && named === null && quote.attributed_to !== null
  if (isUnknown)
    return unchecked(
      quote,
      `Nothing here is named ${quoteShownSingly(quote.attributed_to ?? '')}, so the quotation cannot be checked.`,
    )
  const known = isElsewhere ? 'misattributed' : verdict
  return {
    quote: quote.text,
    verdict: known,
    message: messageOf(known, { title: source?.title ?? '', named: quote.attributed_to ?? '', changed }),
    attributed_to: quote.attributed_to,
    source: source && { entity_type: source.entity_type, entity_id: source.entity_id, title: source.title },
    nearest,
  }
}

/** By what it is said to be from and what the agent was given, and by the rest of the Space unless it stands there. */
async function judge(
  db: Queryable,
  { text }: FoundQuote,
  { space_id, entity_types, languages, given, target }: QuoteContext,
  { named, load }: { named: QuoteSource | null; load: Load },
): Promise<Judgement> {
  const others = (entities: readonly Entity[]) =>
    entities.filter(({ entity_id }) => entity_id !== target.entity_id)
  const read = await load([...(named ? [named] : []), ...others(given)])
  const judged = judgeQuote(text, read)
  if (judged.verdict === 'verbatim' && (!named || judged.source?.entity_id === named.entity_id)) return judged
  const phrases = phrasesOf(text)
  const near = await findNearTexts(db, { space_id, entity_types, phrases, languages, limit: nearTexts })
  const sources = await load([...(named ? [named] : []), ...others([...near, ...given])])
  return judgeQuote(text, sources)
}

/** Each stretch, its beginning and its end: a quotation may reach over the border of two passages. */
const phrasesOf = (text: string): string[] =>
  quoteParts(text).parts.flatMap(({ words }) => {
    const pieces = [words.slice(0, 60), words.slice(0, phrase), words.slice(-phrase)]
    return pieces.map((piece) => wordsOf(piece.join(' ')).join(' '))
  })

const faithful: ReadonlySet<QuoteVerdict> = new Set(['verbatim', 'shortened', 'with_insertions'])

const unchecked = ({ text, attributed_to }: FoundQuote, message: string): QuoteCheck => ({
  quote: text,
  verdict: 'unchecked',
  message: `The quotation was not checked. ${message}`,
  attributed_to,
  source: null,
  nearest: null,
})

async function resolve(db: Queryable, { space_id }: QuoteContext, name: string, load: Load) {
  const entity = await resolveName(db, space_id, name)
  const [source] = entity ? await load([entity]) : []
  return source ?? null
}

/** Each once, in their order; what does not exist is left out. */
type Load = (entities: readonly Entity[]) => Promise<QuoteSource[]>

/** Reads each text once, those of one kind with one statement. */
function createLoader(db: Queryable, kinds: Kinds, spaceId: string): Load {
  const loaded = new Map<string, QuoteSource | null>()
  return async (entities) => {
    const missing = entities.filter(({ entity_id }) => !loaded.has(entity_id))
    for (const { entity_id } of missing) loaded.set(entity_id, null)
    for (const [type, group] of Map.groupBy(missing, ({ entity_type }) => entity_type)) {
      const ids = group.map(({ entity_id }) => entity_id)
      const sources =
        type === toolResult
          ? await readResults(db, spaceId, ids)
          : await readTexts(db, kinds.find(type), spaceId, ids)
      for (const source of sources) loaded.set(source.entity_id, source)
    }
    const ids = new Set(entities.map(({ entity_id }) => entity_id))
    return [...ids].flatMap((id) => loaded.get(id) ?? [])
  }
}

/** What an outside tool answered is stored, though it is no entity. */
const toolResult = 'tool_result'

async function readResults(db: Queryable, spaceId: string, ids: readonly string[]): Promise<QuoteSource[]> {
  const results = createToolResultsRepo(db)
  const sources: QuoteSource[] = []
  for (const id of new Set(ids)) {
    const result = await results.find(id, spaceId)
    if (!result) continue
    const title = `${result.source_name} › ${result.tool}`
    sources.push(createQuoteSource({ entity_type: toolResult, entity_id: id, title }, result.text))
  }
  return sources
}

async function readTexts(
  db: Queryable,
  kind: Kind | undefined,
  spaceId: string,
  ids: readonly string[],
): Promise<QuoteSource[]> {
  const rows = kind ? await createEntitiesRepo(db).listWithinSpaces(kind, [spaceId], ids) : []
  return rows.flatMap((row) => {
    if (!kind || row.deleted_at) return []
    const entity = { entity_type: kind.type, entity_id: row.id, title: titleOf(row) }
    return createQuoteSource(entity, `${kind.searchText(row)}\n\n${textOf(row[kind.bodyField])}`)
  })
}

type Facts = { title: string; named: string; changed: readonly string[] }

/** The sentence for a person: `title` is the source, `named` what the text says it is, `changed` as of a judgement. */
function messageOf(verdict: Exclude<QuoteVerdict, 'unchecked'>, { title, named, changed }: Facts): string {
  const source = quoteShownSingly(title)
  switch (verdict) {
    case 'verbatim':
      return `The quotation is in ${source}, word for word.`
    case 'shortened':
      return `The quotation is in ${source}, with words left out where it says so.`
    case 'with_insertions':
      return `The quotation is in ${source}, apart from the words in brackets.`
    case 'altered':
      return changed.length === 0
        ? `The quotation differs from ${source}: words were changed.`
        : `The quotation differs from ${source} in words that matter: ${changed
            .slice(0, 6)
            .map((word) => quoteShownSingly(word))
            .join(', ')}.`
    case 'spliced':
      return `The quotation joins separate places of ${source} without marking it.`
    case 'misattributed':
      return `The quotation is in ${source}, not in ${quoteShownSingly(named)}.`
    case 'not_found':
      return 'The quotation was not found in this Space.'
  }
}

/** The texts of a payload, each beside what it would replace. */
export const draftTexts = (
  payload: Record<string, unknown>,
  row: Readonly<Record<string, unknown>> | null,
): DraftText[] =>
  Object.entries(payload).flatMap(([field, after]) =>
    typeof after === 'string' ? [{ field, before: textOf(row?.[field]), after }] : [],
  )
