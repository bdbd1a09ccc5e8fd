import { z } from 'zod'
import { isRecord } from '../../core/record.ts'
import { cleanText } from '../../core/text/clean.ts'
import { defineKind, textOf } from './kind.ts'

const maxArgumentsLength = 100_000

/** `true` if a text is a JSON object, as required for tool arguments. */
function isJsonObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text))
  } catch {
    return false
  }
}

/** A call of an outside tool: a draft that is executed once when the owner approves it. */
export const kind = defineKind({
  type: 'call',
  table: 'calls',
  path: 'calls',
  label: 'call',
  fields: z.object({
    source: z.string().min(1).max(80),
    source_id: z.uuid(),
    tool: z.string().min(1).max(128),
    tool_sha256: z.string().regex(/^[0-9a-f]{64}$/),
    arguments: z
      .string()
      .overwrite(cleanText)
      .max(maxArgumentsLength)
      .refine(isJsonObject, 'must be a JSON object')
      .describe('Exact JSON arguments of the tool call'),
  }),
  required: ['source', 'source_id', 'tool', 'tool_sha256', 'arguments'],
  defaults: {},
  derived: z.object({ title: z.string() }),
  derive: (fields) => ({ title: `${textOf(fields.source)} › ${textOf(fields.tool)}` }),
  bodyField: 'arguments',
  effect: { editable: ['arguments'] },
  internal: true,
})
