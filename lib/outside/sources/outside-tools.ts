// The tools of a Space's sources as an agent uses them: found by words, called by name. What comes back is text from
// outside: it is stored as it came, and nobody vouches for it.

import type {
  FoundTools,
  OutsideCall,
  OutsideResult,
  OutsideTool,
  ProposedCall,
} from '../../ai/agent/services.ts'
import type { ProposeChange } from '../../changes/propose/propose.ts'
import type { AgentActor } from '../../core/actor.ts'
import { forbidden, invalid, notFound } from '../../core/errors.ts'
import { isSameWord, wordsOf } from '../../core/text/words/words.ts'
import type { Database } from '../../db/pool.ts'
import {
  createSourcesRepo,
  createSourceToolsRepo,
  type SourceRow,
  type SourceToolRow,
} from '../../db/repos/sources.ts'
import { createToolResultsRepo } from '../../db/repos/tool_calls.ts'
import type { CallTool } from './call-tool.ts'
import { type SearchTool, searchArgument } from './search-tools.ts'
import { hasChanged, isActive, mayNotCall, parseDefinition, quoteTool } from './source-tools.ts'
import type { Sources } from './sources.ts'
import { storeResult } from './store-result.ts'

export type OutsideTools = {
  /** The tools that may be used and match the words. A source that nobody has tested yet is asked for its tools. */
  find(request: { space_id: string; q: string }): Promise<FoundTools>
  /** The tools that search, of those that may be called freely. Asks no source for anything. */
  searchTools(spaceId: string): Promise<SearchTool[]>
  /**
   * Calls a tool that may be called freely; of one that asks, the call waits for the owner as a draft. Throws an `AppError`: 400 for a name that is none or arguments that are too
   * long, 403 for a tool that may not be called. A source that fails is a result that says so.
   */
  call(actor: AgentActor, call: OutsideCall): Promise<OutsideResult | ProposedCall>
  /** What a call answered before. Throws a 404 `AppError`. */
  result(request: { space_id: string; id: string }): Promise<OutsideResult>
}

type OutsideToolsDeps = {
  database: Database
  callTool: CallTool
  proposeChange: ProposeChange
  sources: Pick<Sources, 'test'>
  now: () => Date
}

const maxFound = 5

const maxArgumentBytes = 100_000

export function createOutsideTools(deps: OutsideToolsDeps): OutsideTools {
  const { database, callTool, proposeChange, sources, now } = deps

  return {
    async find({ space_id, q }) {
      const untested = (await enabledIn(database, space_id)).filter(({ status }) => status === 'untested')
      await Promise.all(untested.slice(0, 5).map(({ id }) => sources.test(id)))
      const all = await enabledIn(database, space_id)
      const usable = (await Promise.all(all.map((source) => usableTools(database, source)))).flat()
      const ranked = rankTools(usable, q)
      const problems = all.filter(({ status }) => status === 'failed').map(({ name }) => name)
      return { tools: ranked.slice(0, maxFound), total: usable.length, matching: ranked.length, problems }
    },

    async searchTools(spaceId) {
      const all = await enabledIn(database, spaceId)
      const usable = (await Promise.all(all.map((source) => usableTools(database, source)))).flat()
      return usable.flatMap((tool): SearchTool[] => {
        const argument = tool.asks ? null : searchArgument(tool)
        return argument ? [{ source: tool.source, tool: tool.name, argument }] : []
      })
    },

    async call(actor, call) {
      const { source, tool } = await findUsable(database, call)
      if (tool.policy === 'ask' && call.unattended)
        throw forbidden(
          `${quoteTool(tool.name)} waits for the owner, who is not there. Do without it, and say so.`,
        )
      if (tool.policy === 'ask') return await proposeCall(actor, call, source, tool)
      const text = argumentsOf(call)
      const answer = await callTool(
        { ...toCall(source, tool), space_id: call.space_id, policy: 'read', arguments: call.arguments },
        call.signal,
      )
      const result = {
        ...answer,
        source_id: source.id,
        source_name: source.name,
        tool: tool.name,
        arguments: text,
      }
      const id = await storeResult(database, {
        space_id: call.space_id,
        agent_id: actor.agent_id,
        tool_use_id: call.tool_use_id,
        turn_id: call.turn?.id ?? null,
        result,
        now: now(),
      })
      const { cut, failed } = answer
      return {
        id,
        source_id: source.id,
        title: `${source.name} › ${tool.name}`,
        text: answer.text,
        cut,
        failed,
      }
    },

    async result({ space_id, id }) {
      const stored = await createToolResultsRepo(database).find(id, space_id)
      if (!stored) throw notFound('tool result', id)
      const { source_name, tool, text, cut, failed } = stored
      return { id, source_id: '', title: `${source_name} › ${tool}`, text, cut, failed }
    },
  }

  async function proposeCall(
    actor: AgentActor,
    call: OutsideCall,
    source: SourceRow,
    tool: SourceToolRow,
  ): Promise<ProposedCall> {
    const { space_id, turn, tool_use_id, given, reason } = call
    const { id, card } = await proposeChange(actor, {
      space_id,
      turn,
      tool_use_id,
      given,
      reason,
      entity_type: 'call',
      action: 'call',
      payload: { ...toCall(source, tool), source: source.name, arguments: argumentsOf(call) },
    })
    return { pending_change_id: id, card }
  }
}

const toCall = (source: SourceRow, { name, sha256 }: SourceToolRow) => ({
  source_id: source.id,
  tool: name,
  tool_sha256: sha256,
})

/** As the owner reads them, and as they are sent. */
function argumentsOf(call: OutsideCall): string {
  const text = JSON.stringify(call.arguments, null, 2)
  if (Buffer.byteLength(text) <= maxArgumentBytes) return text
  throw invalid(`The arguments are longer than ${maxArgumentBytes} bytes.`)
}

async function enabledIn(database: Database, spaceId: string): Promise<SourceRow[]> {
  return (await createSourcesRepo(database).listOfSpace(spaceId)).filter(({ enabled }) => enabled)
}

async function usableTools(database: Database, source: SourceRow): Promise<OutsideTool[]> {
  const rows = await createSourceToolsRepo(database).list(source.id)
  return rows.filter((row) => isActive(row)).map((row) => toOutside(source, row))
}

function toOutside(source: SourceRow, row: SourceToolRow): OutsideTool {
  const { title, description, input_schema } = parseDefinition(row.definition)
  const asks = row.policy === 'ask'
  return { source_id: source.id, source: source.name, name: row.name, asks, title, description, input_schema }
}

async function findUsable(
  database: Database,
  { space_id, source: named, tool: name }: OutsideCall,
): Promise<{ source: SourceRow; tool: SourceToolRow }> {
  const all = await enabledIn(database, space_id)
  const source = all.find((one) => one.name.toLowerCase() === named.trim().toLowerCase())
  if (!source) throw invalid(`Unknown source in this Space: ${quoteTool(named)}. Use find_tool first.`)
  const tool = await createSourceToolsRepo(database).find(source.id, name)
  if (!tool) throw invalid(`The source has no tool ${quoteTool(name)}. Use find_tool first.`)
  if (!isActive(tool)) throw tool.new_definition ? hasChanged(name) : mayNotCall(name)
  return { source, tool }
}

/** What is looked through for a tool. */
type RankedTool = {
  source: string
  name: string
  title?: string | undefined
  description?: string | undefined
}

/** The tools whose names and descriptions hold most of the words, best first; without words all of them. */
function rankTools<One extends RankedTool>(tools: readonly One[], q: string): One[] {
  const wanted = [...new Set(wordsOf(q).filter((word) => word.length > 1))]
  if (wanted.length === 0) return [...tools]
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, wanted) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ tool }) => tool)
}

function scoreOf(
  { source, name, title = '', description = '' }: RankedTool,
  wanted: readonly string[],
): number {
  const inName = wordsOf(`${name} ${title}`)
  const inRest = wordsOf(`${source} ${description.slice(0, 4000)}`)
  return wanted.reduce((sum, word) => sum + 3 * countOf(inName, word) + countOf(inRest, word), 0)
}

/** 1 for the word itself, half for another form of it. */
function countOf(words: readonly string[], wanted: string): number {
  if (words.includes(wanted)) return 1
  return words.some((word) => isSameWord(word, wanted)) ? 0.5 : 0
}
