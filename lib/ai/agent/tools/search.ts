import { z } from 'zod'
import type { Kind } from '../../../contract/entities/kind.ts'
import { countTokens } from '../../../core/text/count-tokens.ts'
import { quoteName } from '../../../core/text/quote-name.ts'
import { maxQuestionLength } from '../../../search/question.ts'
import { bestLines, wordsToFind } from '../../../search/words/best-lines.ts'
import { numberLines, type SearchResultBlock, type TextBlock } from '../../model.ts'
import { kindNames, searchNames } from '../check-proposal.ts'
import { notOffered, type Tool } from '../registry.ts'
import type { FoundPassage } from '../services.ts'
import { formatSource, ownTypes } from '../sources.ts'

type Input = {
  q: string
  kind?: string | undefined
  kinds?: string[] | undefined
  status?: string | undefined
  statuses?: string[] | undefined
  changed_after?: string | undefined
  changed_before?: string | undefined
}

/** `parts`: its best lines, or all of it; `lines`: where they begin, if `read` has lines of it; `cut`: `true` if there is more. */
type Excerpt = FoundPassage & { parts: string[]; lines?: number[]; cut: boolean }
type Result = { q: string; filters: string[]; passages: Excerpt[]; missing: string[] }

/** Tokens of the result as JSON, and those of them that are kept for the note about shortened results. */
const maxTokens = 1000
const noteTokens = 60
const maxTitle = 100
const [maxMissing, maxPhrase] = [2, 60]
/** Of a text within JSON that is yet to be cut: ordinary text has four. */
const bytesPerToken = 4

/** Finds passages anywhere in the Space. */
export function createSearchTool(kinds: readonly Kind[]): Tool<Input, Result> {
  const entities = kinds.map(({ type }) => type)
  const types = [...entities, ...ownTypes]
  const takenTypes = [...types, 'message']
  const readByLines = new Set(kinds.filter(({ searchesBody }) => searchesBody).map(({ type }) => type))

  return {
    name: 'search',
    title: 'Search a Space',
    offered: 'both',
    description:
      'Find passages of this Space by words and meaning, before you answer from it; to count or list use list. Returns the ' +
      'best passages with their best lines; read returns the whole text. Example: {"q":"lease \\"notice period\\"","kinds":["page"]}',
    input: z.object({
      q: z
        .string()
        .trim()
        .min(1)
        .max(maxQuestionLength)
        .describe('Plain words; double quotes for an exact phrase'),
      kind: z.enum(takenTypes).optional().meta(notOffered),
      kinds: z
        .array(z.enum(takenTypes).meta({ enum: types }))
        .optional()
        .describe('Only these kinds'),
      status: z.string().max(40).optional().describe('Only with this status, such as open'),
      statuses: z.array(z.string()).optional().meta(notOffered),
      changed_after: z.iso.date().optional().describe('From this date'),
      changed_before: z.iso.date().optional().describe('Before this date'),
    }),
    names: {
      ...searchNames,
      ...{ type: 'kind', entity_type: 'kind', types: 'kinds', entity_types: 'kinds' },
      ...{
        since: 'changed_after',
        after: 'changed_after',
        until: 'changed_before',
        before: 'changed_before',
      },
    },
    values: {
      ...kindNames,
      messages: 'conversation',
      email: 'mail_message',
      mail: 'mail_message',
    },
    capability: 'read',
    actionClass: 'navigational',
    async handler({ q, kind, kinds = [], status, statuses = [], changed_after, changed_before }, ctx) {
      const asked = (kind ? [kind, ...kinds] : kinds).map((type) =>
        type === 'message' ? 'conversation' : type,
      )
      const states = status ? [status, ...statuses] : statuses
      // A conversation doesn't find itself; what calls from outside of one finds neither conversations nor mail.
      const wanted = (asked.length > 0 ? asked : ctx.turn ? [] : entities).filter(
        (type) => ctx.turn || !ownTypes.includes(type),
      )
      const { passages, missing } = await ctx.services.search(ctx.actor, {
        space_id: ctx.space_id,
        q,
        group: 'entity',
        ...(wanted.length > 0 || asked.length > 0 ? { kinds: wanted } : {}),
        ...(states.length > 0 ? { statuses: states } : {}),
        ...(changed_after ? { changed_after } : {}),
        ...(changed_before ? { changed_before } : {}),
        ...(ctx.turn ? { without: ctx.turn.conversation_id } : {}),
      })
      const filters = Object.entries({ kinds: asked, status: states, changed_after, changed_before }).flatMap(
        ([name, value]) =>
          value === undefined || value.length === 0 ? [] : `${name} ${[value].flat().join(', ')}`,
      )
      return {
        q,
        filters,
        passages: shorten(passages, q, readByLines),
        missing: missing.slice(0, maxMissing),
      }
    },
    render(result) {
      const { passages, missing } = result
      if (passages.length === 0) return noteOfNothing(result)
      return [...noteOfMissing(missing), ...passages.map(toBlock), ...noteOf(passages, readByLines)]
    },
    structured: { schema: found, of: ({ passages }) => ({ passages: passages.map(toFound) }) },
    given: ({ passages }) =>
      passages.map(({ entity_type, entity_id, title }) => ({
        entity_type,
        entity_id,
        title,
        given_by: 'search',
      })),
    summarize: ({ passages }) => `${passages.length} ${passages.length === 1 ? 'passage' : 'passages'}`,
  }
}

/** What was tried, and two things to try. */
function noteOfNothing({ q, filters }: Result): string {
  const among = filters.length > 0 ? `, with ${filters.join('; ')}` : ''
  const fewer = filters.length > 0 ? ', without the filters' : ''
  return (
    `Nothing in this Space matches ${quoteName(q, 60)}${among}. Try other words for the same thing${fewer}, or list, which ` +
    'names what the Space holds.'
  )
}

/** Each gets the same share of the room, the first one twice; what one does not need is for those after it. */
function shorten(passages: readonly FoundPassage[], q: string, readByLines: ReadonlySet<string>): Excerpt[] {
  const words = wordsToFind(q)
  const bare = passages.map((passage) => toBlock({ ...passage, parts: [], cut: false }))
  let left = maxTokens - noteTokens - sizeOf(bare)
  return passages.map((passage, at) => {
    const shares = passages.length - at + (at === 0 ? 1 : 0)
    const parts = linesWithin(passage.text, words, Math.floor((left * (at === 0 ? 2 : 1)) / shares))
    const lines = readByLines.has(passage.entity_type) ? { lines: linesOf(parts, passage) } : {}
    const excerpt = { ...passage, parts, ...lines, cut: lettersIn(parts.join('')) < lettersIn(passage.text) }
    left -= sizeOf(numberLines(toBlock(excerpt)).content)
    return excerpt
  })
}

/** Its best lines in that many tokens: fewer bytes where they are dearer than those of ordinary text. */
function linesWithin(text: string, words: readonly string[], tokens: number): string[] {
  let bytes = Math.max(1, tokens) * bytesPerToken
  for (;;) {
    const parts = bestLines(text, words, bytes)
    const cost = sizeOf(toContent(parts))
    if (cost <= tokens || bytes < minBytes) return parts
    bytes = Math.min(bytes - 1, Math.floor((bytes * tokens) / cost))
  }
}

/** The lines, as `read` counts them, that verbatim parts of a passage begin in. */
function linesOf(parts: readonly string[], { text, start_line }: FoundPassage): number[] {
  let [from, line] = [0, start_line]
  return parts.map((part) => {
    const at = Math.max(from, text.indexOf(part, from))
    line += text.slice(from, at).split('\n').length - 1
    from = at
    return line
  })
}

/** A part below it is cut no further. */
const minBytes = 24

const sizeOf = (blocks: unknown): number => countTokens(JSON.stringify(blocks))
const lettersIn = (text: string): number => text.replace(/\s+/g, '').length

const found = z.object({
  passages: z.array(z.object({ kind: z.string(), id: z.string(), title: z.string(), text: z.string() })),
})

const toFound = ({ entity_type, entity_id, title, parts }: Excerpt) => ({
  kind: entity_type,
  id: entity_id,
  title,
  text: parts.join('\n…\n'),
})

/** A block is the smallest thing that can be cited, so a passage goes out in parts, each as it is stored. */
function toBlock(passage: Excerpt): SearchResultBlock {
  const title = [passage.title, ...passage.heading_path].join(' › ')
  return {
    type: 'search_result',
    source: formatSource(passage),
    title: title.length > maxTitle ? `${title.slice(0, maxTitle - 1).toWellFormed()}…` : title,
    content: toContent(passage.parts),
    citations: { enabled: true },
    ...(passage.lines ? { lines: passage.lines } : {}),
  }
}

const toContent = (parts: readonly string[]): SearchResultBlock['content'] =>
  (parts.length > 0 ? parts : ['(empty)']).map((text) => ({ type: 'text', text }))

/** Before loose hits, so that none is taken for the phrase. */
function noteOfMissing(missing: readonly string[]): TextBlock[] {
  if (missing.length === 0) return []
  const phrases = missing.map((phrase) => quoteName(phrase, maxPhrase)).join(', ')
  return [{ type: 'text', text: `No exact match for ${phrases}. Similar:` }]
}

/** Which of them were shortened, and where the whole is. */
function noteOf(passages: readonly Excerpt[], readByLines: ReadonlySet<string>): TextBlock[] {
  const cut = passages.flatMap((passage, at) => (passage.cut ? [{ ...passage, number: at + 1 }] : []))
  if (cut.length === 0) return []
  const places = cut.map(({ number, entity_type, start_line, end_line }) =>
    readByLines.has(entity_type) ? `${number} (lines ${start_line}-${end_line})` : String(number),
  )
  return [{ type: 'text', text: `Shortened; read gives all of result ${places.join(', ')}.` }]
}
