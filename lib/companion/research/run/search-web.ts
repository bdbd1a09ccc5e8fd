// The search tool of a source that is connected to the Space. It is asked within bounds; one that fails costs the run a
// sentence, and is not asked again.

import { cleanLine } from '../../../core/text/clean.ts'
import { readSearchResult, type WebPassage } from '../../../outside/sources/read-search-result.ts'
import type { SearchTool } from '../../../outside/sources/search-tools.ts'
import { isAttended, type StageContext } from './stage.ts'

type FoundOutside = WebPassage & {
  /** The stored result, and the place in it. */
  entity_id: string
  ordinal: number
}

type WebSearch = {
  /** Best first; nothing once there is no source left to ask. Throws when the turn is aborted. */
  search(request: { q: string; limit: number }): Promise<FoundOutside[]>
  /** A sentence for each source that failed. */
  problems(): string[]
}

/** For one answer, and for all answers of a stage together. */
const callMs = 20_000

const stageMs = 60_000

const maxReason = 200

/** Asks nothing at a depth that searches only the Space, nor for an external agent. */
export async function openWebSearch(context: StageContext): Promise<WebSearch> {
  const { deps, turn, depth, state } = context
  const left =
    depth.searches_web && isAttended(state.run) ? await deps.outsideTools.searchTools(turn.turn.space_id) : []
  const problems: string[] = []
  const until = performance.now() + stageMs

  return {
    problems: () => problems,
    async search({ q, limit }) {
      for (let tool = left[0]; tool; tool = left[0]) {
        const ms = Math.min(callMs, until - performance.now())
        const answer = ms > 0 ? await ask(context, tool, { q, ms }) : { failed: 'It took too long.' }
        if ('id' in answer) return toFound(answer, limit)
        problems.push(`The source “${tool.source}” was left out: ${answer.failed}`)
        left.shift()
      }
      return []
    },
  }
}

type Answer = { id: string; text: string; title: string } | { failed: string }

async function ask(
  { deps, turn, step }: StageContext,
  { source, tool, argument }: SearchTool,
  { q, ms }: { q: string; ms: number },
): Promise<Answer> {
  turn.signal.throwIfAborted()
  return await step<Answer>({ tool: 'call_tool', args: { source, tool, q } }, async (id) => {
    const result = await callWithin(id)
    const isFailed = 'failed' in result
    return { result, summary: isFailed ? result.failed : `${result.text.length} characters`, isFailed }
  })

  async function callWithin(tool_use_id: string): Promise<Answer> {
    try {
      const result = await deps.outsideTools.call(turn.actor, {
        space_id: turn.turn.space_id,
        source,
        tool,
        arguments: { [argument]: q },
        reason: '',
        turn: { id: turn.turn.id, conversation_id: turn.turn.conversation_id },
        tool_use_id,
        signal: AbortSignal.any([turn.signal, AbortSignal.timeout(Math.ceil(ms))]),
      })
      if ('card' in result) return { failed: 'It may not be called freely.' }
      const { id, text, title, failed } = result
      return failed ? { failed: reasonOf(text) } : { id, text, title }
    } catch (error) {
      turn.signal.throwIfAborted()
      const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
      return { failed: isTimeout ? 'It took too long.' : reasonOf(error) }
    }
  }
}

const reasonOf = (problem: unknown): string =>
  cleanLine(problem instanceof Error ? problem.message : String(problem))
    .slice(0, maxReason)
    .toWellFormed()

const toFound = ({ id, text, title }: Exclude<Answer, { failed: string }>, limit: number): FoundOutside[] =>
  readSearchResult(text, limit).map((passage, ordinal) => ({
    ...passage,
    title: passage.title || title,
    entity_id: id,
    ordinal,
  }))
