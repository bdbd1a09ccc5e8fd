import { z } from 'zod'
import type { Kind } from '../../../contract/entities/kind.ts'
import { maxQuestionLength } from '../../../search/question.ts'
import { bestLines, wordsToFind } from '../../../search/words/best-lines.ts'
import type { SearchResultBlock, TextBlock } from '../../model.ts'
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

/** `parts`: its best lines, or all of it; `cut`: `true` if there is more. */
type Excerpt = FoundPassage & { parts: string[]; cut: boolean }
type Result = { q: string; passages: Excerpt[] }

/** Maximum bytes of the result as JSON: under 1,500 tokens at a conservative three bytes per token. */
const maxBytes = 4000
/** Bytes reserved for the note about shortened results. */
const noteBytes = 260
const maxTitle = 120

/** Finds passages anywhere in the Space. */
export function createSearchTool(kinds: readonly Kind[]): Tool<Input, Result> {
  const entities = kinds.map(({ type }) => type)
  const types = [...entities, ...ownTypes]
  const readByLines = new Set(kinds.filter(({ searchesBody }) => searchesBody).map(({ type }) => type))

  return {
    name: 'search',
    title: 'Search a Space',
    offered: 'both',
    description:
      'Search this Space for the best passages, shortened to their best lines; read returns the rest. Use plain words, ' +
      'and double quotes for an exact phrase. A source is void://KIND/ID#PASSAGE. Search before you answer, and again ' +
      'in other words if that finds no answer.',
    input: z.object({
      q: z.string().trim().min(1).max(maxQuestionLength),
      kind: z.enum(types).optional(),
      kinds: z.array(z.enum(types)).optional().meta(notOffered),
      status: z.string().max(40).optional().describe('Status, such as open'),
      statuses: z.array(z.string()).optional().meta(notOffered),
      changed_after: z.iso.date().optional().describe('Changed on this day or later'),
      changed_before: z.iso.date().optional(),
    }),
    capability: 'read',
    actionClass: 'navigational',
    async handler({ q, kind, kinds = [], status, statuses = [], changed_after, changed_before }, ctx) {
      const asked = kind ? [kind, ...kinds] : kinds
      const states = status ? [status, ...statuses] : statuses
      // A conversation doesn't find itself; what calls from outside of one finds neither conversations nor mail.
      const wanted = (asked.length > 0 ? asked : ctx.turn ? [] : entities).filter(
        (type) => ctx.turn || !ownTypes.includes(type),
      )
      const passages = await ctx.services.search(ctx.actor, {
        space_id: ctx.space_id,
        q,
        group: 'entity',
        ...(wanted.length > 0 || asked.length > 0 ? { kinds: wanted } : {}),
        ...(states.length > 0 ? { statuses: states } : {}),
        ...(changed_after ? { changed_after } : {}),
        ...(changed_before ? { changed_before } : {}),
        ...(ctx.turn ? { without: ctx.turn.conversation_id } : {}),
      })
      return { q, passages: shorten(passages, q) }
    },
    render({ passages }) {
      if (passages.length === 0) return 'Nothing in this Space matches. Try other words.'
      return [...passages.map(toBlock), ...noteOf(passages, readByLines)]
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

/** Each gets the same share of the room, the first one twice; what one does not need is for those after it. */
function shorten(passages: readonly FoundPassage[], q: string): Excerpt[] {
  const words = wordsToFind(q)
  const bare = passages.map((passage) => toBlock({ ...passage, parts: [], cut: false }))
  let left = maxBytes - noteBytes - sizeOf(bare)
  return passages.map((passage, at) => {
    const shares = passages.length - at + (at === 0 ? 1 : 0)
    const parts = bestLines(passage.text, words, Math.floor((left * (at === 0 ? 2 : 1)) / shares))
    const excerpt = { ...passage, parts, cut: lettersIn(parts.join('')) < lettersIn(passage.text) }
    left -= sizeOf(toBlock(excerpt).content)
    return excerpt
  })
}

const sizeOf = (blocks: unknown): number => Buffer.byteLength(JSON.stringify(blocks))
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
    content: (passage.parts.length > 0 ? passage.parts : ['(empty)']).map((text) => ({ type: 'text', text })),
    citations: { enabled: true },
  }
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
