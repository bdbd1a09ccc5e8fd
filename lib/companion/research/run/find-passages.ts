// Everywhere that a run looks for an answer: what the owner keeps in the Space, its mail, and, where the depth allows it,
// a source that searches. Of every four passages two are the Space's own while there are any, so that neither a full
// mailbox nor the web crowds them out. For an external agent only the Space is searched: it may read neither mail nor
// sources.

import { kind as mailKind } from '../../../contract/entities/mail_message.ts'
import type { SearchItem } from '../../../contract/space/search.ts'
import { plainWordsOf } from '../../../core/text/words/words.ts'
import { createMailMessagesRepo } from '../../../db/repos/mail_messages.ts'
import type { createResearchRunsRepo } from '../../../db/repos/research_runs.ts'
import type { Search } from '../../../search/search.ts'
import { citedLine } from '../../../search/snippet.ts'
import { countOf } from '../output/count-of.ts'
import { openWebSearch } from './search-web.ts'
import { type FindOwn, isAttended, type StageContext } from './stage.ts'

/** Enough to keep both the database and this thread busy, and few enough to leave connections to others. */
const searchesAtOnce = 4

export type FoundPassage = {
  entity_type: string
  entity_id: string
  ordinal: number
  title: string
  /** The headings above it; empty for none. */
  heading: string
  text: string
  /** The line that answers best. */
  cite: string
  /** Whether it is no part of the Space, and its address there. */
  outside: boolean
  address: string | null
}

type Finder = {
  /**
   * For each question, best first, at most so many. The Space is searched for several at once, sources for one after the
   * other. Throws when the turn is aborted.
   */
  find(questions: readonly string[], limit: number): Promise<FoundPassage[][]>
  /** A sentence for each source that could not be asked. */
  problems(): string[]
}

export async function createFinder(context: StageContext): Promise<Finder> {
  const { deps, turn, state } = context
  const web = await openWebSearch(context)
  const hasMail =
    isAttended(state.run) && (await createMailMessagesRepo(deps.database).isAny(turn.turn.space_id))
  const ownKinds = deps.kinds.all.map(({ type }) => type)

  return {
    problems: web.problems,
    async find(questions, limit) {
      const inSpaces = await mapConcurrently(questions, searchesAtOnce, (q) => findInSpace(q, limit))
      const found: FoundPassage[][] = []
      for (const [at, q] of questions.entries()) {
        const outside = await findOutside(q, limit)
        found.push(inTurns({ ...inSpaces[at]!, outside }).slice(0, limit))
      }
      return found
    },
  }

  async function findInSpace(q: string, limit: number) {
    const search = async (tool: string, kinds: readonly string[]): Promise<FoundPassage[]> => {
      const hits = await searchPassages(context, { q, limit, tool, kinds })
      return hits.map((hit) => ({
        ...hit,
        heading: hit.heading_path.join(' › '),
        outside: false,
        address: null,
      }))
    }
    const [own, mail] = await Promise.all([
      search('search', ownKinds),
      hasMail ? search('search_email', [mailKind.type]) : [],
    ])
    return { own, mail }
  }

  async function findOutside(q: string, limit: number): Promise<FoundPassage[]> {
    const words = plainWordsOf(q)
    const found = await web.search({ q, limit })
    return found.map((passage) => {
      const cite = citedLine(passage.text, words)
      return { ...passage, entity_type: 'tool_result', heading: '', outside: true, cite }
    })
  }
}

/** Two of the Space's own, one of mail, one from outside, and so on. */
function inTurns({ own, mail, outside }: Record<'own' | 'mail' | 'outside', FoundPassage[]>): FoundPassage[] {
  const rounds = Math.max(Math.ceil(own.length / 2), mail.length, outside.length)
  return Array.from({ length: rounds }, (_, at) => [
    ...own.slice(at * 2, at * 2 + 2),
    ...mail.slice(at, at + 1),
    ...outside.slice(at, at + 1),
  ]).flat()
}

/** `work` on each item, at most `limit` at once; results in the order of the items. Rejects with the first rejection. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length)
  const left = items.entries()
  const worker = async () => {
    for (const [at, item] of left) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return results
}

/** Passages of one entity for one question. */
const perEntity = 4

const snippetLength = 200

/** Passages beyond the limit that are looked at, in place of those of pages that research drafted. */
const spare = 10

/** The passages of the Space that answer a question, as a substep of the stage. */
async function searchPassages(
  { deps, turn, step }: Pick<StageContext, 'deps' | 'turn' | 'step'>,
  { q, limit, tool, kinds }: { q: string; limit: number; tool: string; kinds: readonly string[] },
): Promise<SearchItem[]> {
  turn.signal.throwIfAborted()
  const { space_id } = turn.turn
  return await step({ tool, args: { q } }, async () => {
    const hits = await deps.findOwn({ space_id, q, kinds, limit })
    return { result: hits, summary: countOf(hits.length, 'passage') }
  })
}

/**
 * Finds passages of a Space, best first; links count by one hop. None of a page that research drafted: an earlier answer
 * would vouch for itself. The same question is asked once: within one turn of a run the terms of the plan are checked with
 * what is then retrieved. A turn that goes on after a pause asks anew.
 */
export function createFindOwn({
  search,
  drafts,
}: {
  search: Pick<Search, 'show'>
  drafts: Pick<ReturnType<typeof createResearchRunsRepo>, 'listDrafted'>
}): FindOwn {
  const known = new Map<string, SearchItem[]>()
  return async (question) => {
    const key = JSON.stringify(question)
    const { space_id, q, kinds, limit } = question
    const find = async () => {
      const request = { space_ids: [space_id], q, kinds, limit: limit + spare, per_entity: perEntity }
      const { items } = await search.show(request, snippetLength)
      const drafted = await drafts.listDrafted(space_id, [
        ...new Set(items.map(({ entity_id }) => entity_id)),
      ])
      return items.filter(({ entity_id }) => !drafted.has(entity_id)).slice(0, limit)
    }
    const found = known.get(key) ?? (await find())
    known.set(key, found)
    return found
  }
}
