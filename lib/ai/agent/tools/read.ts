import { z } from 'zod'
import type { Kind } from '../../../contract/entities/kind.ts'
import type { Tool } from '../registry.ts'
import { readSource, refreshPanel, renderRead } from '../render.ts'
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
  const types = [...kinds.map(({ type }) => type), ...ownTypes]

  return {
    name: 'read',
    title: 'Read an entity',
    offered: 'both',
    description:
      'Read an entity: its fields, version, text and backlinks. Long texts are returned in parts; continue with ' +
      'from_line. Read a text before drafting a change.',
    input: z.object({
      kind: z.enum(types),
      id: z.uuid(),
      from_line: z.int().min(1).optional().describe('First line to return, 1-based'),
      to_line: z.int().min(1).optional(),
    }),
    capability: 'read',
    actionClass: 'navigational',
    async handler({ kind, id, from_line, to_line }, ctx) {
      if (ownTypes.includes(kind) && !ctx.turn)
        return { error: 'Only the owner can search conversations and mail.' }
      return await ctx.services.read(ctx.actor, {
        space_id: ctx.space_id,
        kind,
        id,
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
