// One call of a tool of a source, as its owner allowed it: the tool that was looked at, with the policy that was set.

import { z } from 'zod'
import type { ToolPolicy } from '../../contract/sources.ts'
import { AppError } from '../../core/errors.ts'
import { cleanLine, cleanText } from '../../core/text/clean.ts'
import type { Database } from '../../db/pool.ts'
import { createSourcesRepo, createSourceToolsRepo } from '../../db/repos/sources.ts'
import type { Connection } from './connect.ts'
import type { Connections } from './connections.ts'
import { hasChanged, isActive, mayNotCall, refreshTools } from './source-tools.ts'
import { toCheck } from './sources.ts'

type ToolCall = {
  space_id: string
  source_id: string
  tool: string
  /** Of the definition that the call was made for. */
  tool_sha256: string
  /** The policy that allows it. */
  policy: Exclude<ToolPolicy, 'off'>
  arguments: Record<string, unknown>
}

export type CallAnswer = ResultText & {
  /** Whether the call went out: it may have taken effect. */
  sent: boolean
  /** Whether the server answered it, be it with an error; else the text says why there is no answer. */
  answered: boolean
}

/**
 * Throws an `AppError` before anything is sent: for a source that is gone or disabled, a tool that changed since or may
 * not be called so. What fails after that is the answer.
 */
export type CallTool = (call: ToolCall, signal: AbortSignal) => Promise<CallAnswer>

type CallToolDeps = {
  database: Database
  connections: Connections
  /** Takes secrets out of errors. Default: leaves them. */
  scrub?: (text: string) => string
  now: () => Date
  /** Timeout of a call. Default: a minute. */
  callMs?: number | undefined
}

export function createCallTool(deps: CallToolDeps): CallTool {
  const { database, connections, scrub = (text) => text, now, callMs = 60_000 } = deps
  return async (call, signal) => {
    const source = await createSourcesRepo(database).find(call.source_id)
    if (!source?.enabled || source.space_id !== call.space_id) throw mayNotCall(call.tool)
    let sent = false
    try {
      const make = async (connection: Connection) => {
        sent = false
        // What was pinned is what is called: a server may change its tools between two calls.
        await refreshTools(database, source.id, connection)
        await checkTool(database, call)
        signal.throwIfAborted()
        sent = true
        const params = { name: call.tool, arguments: call.arguments }
        const options = { timeout: callMs, maxTotalTimeout: callMs, signal }
        // The SDK's own schema takes seconds for a result of many wrong items.
        const answer = await connection.client
          .request({ method: 'tools/call', params }, z.unknown(), options)
          .catch(asAnswer)
        const result = toResultText(answer)
        const text = result.failed ? scrub(result.text) : result.text
        return { ...result, text, sent, answered: true }
      }
      // What may have acted is never sent again.
      return await connections.use(source, make, { mayRepeat: () => !sent || call.policy === 'read' })
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof AppError) || error.code !== 'source_failed') throw error
      await createSourcesRepo(database).noteCheck(source.id, toCheck(error), now())
      return { text: `The source failed: ${error.message}`, cut: false, failed: true, sent, answered: false }
    }
  }
}

async function checkTool(
  database: Database,
  { source_id, tool, tool_sha256, policy }: ToolCall,
): Promise<void> {
  const row = await createSourceToolsRepo(database).find(source_id, tool)
  if (!row || row.policy !== policy) throw mayNotCall(tool)
  if (!isActive(row) || row.sha256 !== tool_sha256) throw hasChanged(tool)
}

/** An error of the protocol is an answer; anything else is none. */
async function asAnswer(error: unknown): Promise<unknown> {
  const { ProtocolError } = await import('@modelcontextprotocol/client')
  if (!(error instanceof ProtocolError)) throw error
  return { isError: true, content: [{ type: 'text', text: error.message }] }
}

type ResultText = { text: string; cut: boolean; failed: boolean }

const maxChars = 200_000

const Block = z.looseObject({ type: z.string() })

const Result = z.looseObject({
  content: z.array(z.unknown()).max(10_000).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
})

/**
 * The result of a tool as text, within bounds. What is no text is named, not taken over. Never throws: an answer that
 * is no result says so.
 */
function toResultText(answer: unknown): ResultText {
  const parsed = Result.safeParse(answer)
  if (!parsed.success) return { text: 'The answer is no result of the protocol.', cut: false, failed: true }
  const { content, structuredContent, isError = false } = parsed.data
  const blocks = content.map(describeBlock).filter((text) => text.trim() !== '')
  if (blocks.length === 0 && structuredContent !== undefined) blocks.push(JSON.stringify(structuredContent))
  const text = cleanText(blocks.join('\n\n').slice(0, 2 * maxChars))
  const kept = text.slice(0, maxChars).toWellFormed()
  return { text: kept || '(empty)', cut: kept.length < text.length, failed: isError }
}

function describeBlock(given: unknown): string {
  const block = Block.safeParse(given).data
  if (!block) return ''
  if (block.type === 'text') return stringOf(block.text)
  if (block.type === 'resource_link') return `[Link: ${lineOf(block.name)} ${lineOf(block.uri)}]`
  if (block.type === 'resource') {
    const resource = z.looseObject({}).safeParse(block.resource).data ?? {}
    return stringOf(resource.text) || `[Resource: ${lineOf(resource.uri)} ${lineOf(resource.mimeType)}]`
  }
  return `[${lineOf(block.type)} ${lineOf(block.mimeType)}, not shown]`
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const lineOf = (value: unknown): string => cleanLine(stringOf(value).slice(0, 1000)).slice(0, 300)
