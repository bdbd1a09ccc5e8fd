import { z } from 'zod'
import type { Kind } from '../../../contract/entities/kind.ts'
import { entityNames, kindNames } from '../check-proposal.ts'
import { notListed, type Tool } from '../registry.ts'
import { maxPageTokens, readSource, refreshPanel, renderRead } from '../render.ts'
import type { ReadResult } from '../services.ts'
import { ownTypes } from '../sources.ts'

type Input = { kind: string; id: string; from_line?: number | undefined; to_line?: number | undefined }

const entity = z.object({
  kind: z.string(),
  id: z.string(),
  title: z.string(),
  version: z.number().nullable(),
  fields: z.record(z.string(), z.unknown()),
  text: z.string(),
  from_line: z.number(),
  to_line: z.number(),
  total_lines: z.number(),
})

const toEntity = ({ entity_type, entity_id, blocks, ...result }: ReadResult) => ({
  kind: entity_type,
  id: entity_id,
  title: result.title,
  version: result.version,
  fields: result.fields,
  text: blocks.join('\n\n'),
  from_line: result.from_line,
  to_line: result.to_line,
  total_lines: result.total_lines,
})

/** Reads one entity, one conversation or one message of mail, whole or by lines. */
export function createReadTool(kinds: readonly Kind[]): Tool<Input, ReadResult> {
  const types = [...kinds.map(({ type }) => type), ...ownTypes, 'mail_thread']

  return {
    name: 'read',
    title: 'Read an entity',
    offered: 'both',
    description:
      'Read one entity, before you quote or change it. Returns its fields, version and backlinks, then its text with line ' +
      'numbers, in pages such as “lines 1–80 of 412”; continue with from_line.',
    input: z.object({
      kind: z.enum(types).describe('Kind, as results name it').meta(notListed),
      id: z.uuid().describe('Its id'),
      from_line: z.int().min(1).optional().describe('First line to return, from 1'),
      to_line: z.int().min(1).optional().describe('Last line to return'),
    }),
    names: {
      ...entityNames,
      ...{
        line: 'from_line',
        offset: 'from_line',
        from: 'from_line',
        start: 'from_line',
        start_line: 'from_line',
      },
      ...{ to: 'to_line', end: 'to_line', end_line: 'to_line', range: 'lines' },
    },
    values: { ...kindNames, message: 'conversation', mail: 'mail_message', email: 'mail_message' },
    byPath: { id: 'id', kind: 'kind' },
    byLines: { from: 'from_line', to: 'to_line' },
    capability: 'read',
    actionClass: 'navigational',
    async handler({ kind, id, from_line, to_line }, ctx) {
      if ((ownTypes.includes(kind) || kind === 'mail_thread') && !ctx.turn)
        return { error: 'Only the owner can search conversations and mail.' }
      return await ctx.services.read(ctx.actor, {
        space_id: ctx.space_id,
        kind,
        id,
        max_tokens: maxPageTokens,
        ...(from_line ? { from_line } : {}),
        ...(to_line ? { to_line } : {}),
      })
    },
    render: renderRead,
    structured: { schema: entity, of: toEntity },
    given: (result) => [readSource(result, 'read')],
    summarize: (result) =>
      `“${result.title}”${result.cut ? `, lines ${result.from_line}–${result.to_line}` : ''}`,
    target: ({ entity_type, entity_id, blocks, from_line }) => ({
      entity_type,
      entity_id,
      passage: from_line > 1 ? blocks[0] : undefined,
    }),
    effects: (result, _, ctx) => refreshPanel(result, ctx),
  }
}
