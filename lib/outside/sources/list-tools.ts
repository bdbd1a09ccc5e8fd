// The tools that a server offers, held within bounds and brought into one form whose hash pins it.

import type { Client } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { canonicalJson, sha256 } from '../../changes/payload.ts'
import { ToolDefinition, type ToolPolicy } from '../../contract/sources.ts'
import { AppError } from '../../core/errors.ts'
import { cleanDeep, cleanLine, cleanText } from '../../core/text/clean.ts'

export type OfferedTool = { name: string; definition: string; sha256: string }

const maxTools = 500
const maxPages = 50
const maxDefinitionBytes = 32_000
const maxAllBytes = 2_000_000

const Listed = z.object({
  name: z.string().min(1).max(128),
  title: z.string().nullish(),
  description: z.string().nullish(),
  inputSchema: z.record(z.string(), z.unknown()).nullish(),
  annotations: z.record(z.string(), z.unknown()).nullish(),
})

/** Throws an `AppError` `source_failed` for a list that is none, or too long. */
export async function listTools(client: Client, timeoutMs: number): Promise<OfferedTool[]> {
  const tools = new Map<string, OfferedTool>()
  let bytes = 0
  let cursor: string | undefined
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await client.request(
      { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
      { timeout: timeoutMs, maxTotalTimeout: timeoutMs },
    )
    for (const given of page.tools) {
      const tool = toOffered(given)
      bytes += tool.definition.length
      tools.set(tool.name, tool)
      if (tools.size > maxTools) throw failed(`It offers more than ${maxTools} tools.`)
      if (bytes > maxAllBytes) throw failed('The definitions of its tools are too long.')
    }
    if (!page.nextCursor) return [...tools.values()]
    cursor = page.nextCursor
  }
  throw failed(`Its list of tools has more than ${maxPages} pages.`)
}

function toOffered(given: unknown): OfferedTool {
  const parsed = Listed.safeParse(given)
  if (!parsed.success || !/^[\x21-\x7e]+$/.test(parsed.data.name)) {
    throw failed('One of its tools has no usable name.')
  }
  const { name, title, description, inputSchema, annotations } = parsed.data
  const definition = canonicalJson({
    name,
    ...(title ? { title: cleanLine(title) } : {}),
    ...(description ? { description: cleanText(description) } : {}),
    input_schema: cleanDeep(inputSchema ?? { type: 'object' }),
    ...(annotations ? { annotations: cleanDeep(annotations) } : {}),
  })
  if (Buffer.byteLength(definition) > maxDefinitionBytes) {
    throw failed(`The definition of its tool ${name} is longer than ${maxDefinitionBytes} bytes.`)
  }
  return { name, definition, sha256: sha256(definition) }
}

export const parseDefinition = (definition: string): ToolDefinition =>
  ToolDefinition.parse(JSON.parse(definition))

/** What annotations suggest. They are the server's own words, and count for nothing until the owner agrees. */
export const proposePolicy = ({ annotations = {} }: ToolDefinition): ToolPolicy =>
  annotations.readOnlyHint === true && annotations.destructiveHint !== true ? 'read' : 'ask'

const failed = (message: string) => new AppError('source_failed', 502, message)
