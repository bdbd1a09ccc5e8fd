// Everywhere that a run looks for an answer: what the owner keeps in the Space, its mail, and, where the depth allows it,
// a source that searches. Of every four passages two are the Space's own while there are any, so that neither a full
// mailbox nor the web crowds them out.

import { kind as mailKind } from '../../../contract/entities/mail_message.ts'
import { plainWordsOf } from '../../../core/text/words/words.ts'
import { createMailMessagesRepo } from '../../../db/repos/mail_messages.ts'
import { citedLine } from '../../../search/snippet.ts'
import { mapConcurrently } from './map-concurrently.ts'
import { searchPassages } from './search-passages.ts'
import { openWebSearch } from './search-web.ts'
import type { StageContext } from './stage.ts'

/** Enough to keep both the database and this thread busy, and few enough to leave connections to others. */
const searchesAtOnce = 4

export type FoundPassage = {
  entity_type: string
  entity_id: string
  ordinal: number
  title: string
  text: string
  /** The line that answers best. */
  cite: string
  /** Whether it is no part of the Space, and its address there. */
  outside: boolean
  address: string | null
}

export type Finder = {
  /**
   * For each question, best first, at most so many. The Space is searched for several at once, sources for one after the
   * other. Throws when the turn is aborted.
   */
  find(questions: readonly string[], limit: number): Promise<FoundPassage[][]>
  /** A sentence for each source that could not be asked. */
  problems(): string[]
}

export async function createFinder(context: StageContext): Promise<Finder> {
  const { deps, turn } = context
  const web = await openWebSearch(context)
  const hasMail = await createMailMessagesRepo(deps.database).isAny(turn.turn.space_id)
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
      return hits.map((hit) => ({ ...hit, outside: false, address: null }))
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
      return { ...passage, entity_type: 'tool_result', outside: true, cite }
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
