// Everywhere that a run looks for an answer: what the owner keeps in the Space, its mail, and, where the depth allows it,
// a source that searches. Of every four passages two are the Space's own while there are any, so that neither a full
// mailbox nor the web crowds them out.

import { createMailMessagesRepo } from '../../db/repos/mail_messages.ts'
import { kind as mailKind } from '../../entities/mail_message.ts'
import { citedLine } from '../../search/snippet.ts'
import { searchPassages } from './search-passages.ts'
import { openWebSearch } from './search-web.ts'
import type { StageContext } from './stage.ts'

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
  /** Best first, at most so many. Throws when the turn is aborted. */
  find(request: { q: string; limit: number }): Promise<FoundPassage[]>
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
    async find({ q, limit }) {
      const inSpace = async (tool: string, kinds: readonly string[]): Promise<FoundPassage[]> => {
        const hits = await searchPassages(context, { q, limit, tool, kinds })
        return hits.map((hit) => ({ ...hit, outside: false, address: null }))
      }
      const own = await inSpace('search', ownKinds)
      const mail = hasMail ? await inSpace('search_email', [mailKind.type]) : []
      const words = q.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
      const found = (await web.search({ q, limit })).map((passage): FoundPassage => {
        const cite = citedLine(passage.text, words)
        return { ...passage, entity_type: 'tool_result', outside: true, cite }
      })
      return inTurns({ own, mail, found }).slice(0, limit)
    },
  }
}

/** Two of the Space's own, one of mail, one from outside, and so on. */
function inTurns({ own, mail, found }: Record<'own' | 'mail' | 'found', FoundPassage[]>): FoundPassage[] {
  const rounds = Math.max(Math.ceil(own.length / 2), mail.length, found.length)
  return Array.from({ length: rounds }, (_, at) => [
    ...own.slice(at * 2, at * 2 + 2),
    ...mail.slice(at, at + 1),
    ...found.slice(at, at + 1),
  ]).flat()
}
