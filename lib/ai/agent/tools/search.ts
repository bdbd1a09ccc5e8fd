import { z } from 'zod'
import type { Passage } from '../../../contract/space/search.ts'
import type { Kind } from '../../../entities/kind.ts'
import type { SearchResultBlock } from '../../model.ts'
import { formatSource, ownTypes } from '../sources.ts'
import type { Tool } from '../tool.ts'

type Input = {
  q: string
  kinds?: string[] | undefined
  statuses?: string[] | undefined
  changed_after?: string | undefined
  changed_before?: string | undefined
}
type Result = { q: string; passages: Passage[] }

/** Finds passages anywhere in the Space. */
export function createSearchTool(kinds: readonly Kind[]): Tool<Input, Result> {
  const entities = kinds.map(({ type }) => type)
  const types = [...entities, ...ownTypes]

  return {
    name: 'search',
    title: 'Search a Space',
    offered: 'both',
    description:
      'Search everything in this Space and get the best passages. Ask in plain words or keywords; put an exact ' +
      'phrase in double quotes. Each result names its source as void://KIND/ID#PASSAGE: use that KIND and ID with ' +
      'read to see the whole text. Search before you answer, and search again with other words when the results ' +
      'do not answer the question.',
    input: z.object({
      q: z.string().trim().min(1).max(2000).describe('What to look for'),
      kinds: z.array(z.enum(types)).optional().describe('Only these kinds; left out: all'),
      statuses: z.array(z.string()).optional().describe('Only things of these statuses, such as open'),
      changed_after: z.iso.date().optional().describe('Only what was changed on this day or later'),
      changed_before: z.iso.date().optional().describe('Only what was changed before this day'),
    }),
    capability: 'read',
    actionClass: 'navigational',
    async handler({ q, kinds, statuses, changed_after, changed_before }, ctx) {
      // A conversation doesn't find itself; what calls from outside of one finds neither conversations nor mail.
      const wanted = (kinds?.length ? kinds : ctx.turn ? [] : entities).filter(
        (type) => ctx.turn || !ownTypes.includes(type),
      )
      const passages = await ctx.services.search(ctx.actor, {
        space_id: ctx.space_id,
        q,
        group: 'entity',
        ...(wanted.length > 0 || kinds?.length ? { kinds: wanted } : {}),
        ...(statuses?.length ? { statuses } : {}),
        ...(changed_after ? { changed_after } : {}),
        ...(changed_before ? { changed_before } : {}),
        ...(ctx.turn ? { without: ctx.turn.conversation_id } : {}),
      })
      return { q, passages }
    },
    render({ passages }) {
      if (passages.length === 0) return 'Nothing in this Space matches. Try other words.'
      return passages.map(toBlock)
    },
    structured: { schema: found, of: ({ passages }) => ({ passages: passages.map(toFound) }) },
    given: ({ passages }) =>
      passages.map(({ entity_type, entity_id, title }) => ({
        ...{ entity_type, entity_id, title },
        given_by: 'search',
      })),
    summarize: ({ passages }) => `${passages.length} ${passages.length === 1 ? 'passage' : 'passages'}`,
  }
}

const found = z.object({
  passages: z.array(z.object({ kind: z.string(), id: z.string(), title: z.string(), text: z.string() })),
})

const toFound = ({ entity_type, entity_id, title, text }: Passage) => ({
  kind: entity_type,
  id: entity_id,
  title,
  text,
})

function toBlock(passage: Passage): SearchResultBlock {
  return {
    type: 'search_result',
    source: formatSource(passage),
    title: [passage.title, ...passage.heading_path].join(' › '),
    content: toParagraphs(passage.text).map((text) => ({ type: 'text', text })),
    citations: { enabled: true },
  }
}

// A block is the smallest thing that can be cited, so a passage goes out paragraph by paragraph.
function toParagraphs(text: string): string[] {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '')
  return paragraphs.length > 0 ? paragraphs : ['(empty)']
}
