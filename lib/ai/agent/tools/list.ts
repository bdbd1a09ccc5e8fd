import { z } from 'zod'
import type { Kind } from '../../../contract/entities/kind.ts'
import { countsText } from '../../../contract/limits.ts'
import { estimateTokens, takeWithin } from '../../../core/text/bounds.ts'
import { quoteName } from '../../../core/text/quote-name.ts'
import { kindNames } from '../check-proposal.ts'
import type { Tool } from '../registry.ts'
import type { Listed, ListResult } from '../services.ts'

type Input = {
  kind?: string | undefined
  status?: string | undefined
  below?: string | undefined
  after?: string | undefined
  where?: string | undefined
  sort?: string | undefined
}

/** Things named at once, where there is room for them: all in all a list stays under five hundred tokens. */
const maxListed = 12
const maxTokens = 500
const perName = 60
const goOn = 'There are more: narrow the list, or continue with after.'

const listing = z.object({
  found: z.number().optional(),
  counts: z.record(z.string(), z.number()),
  items: z.array(z.looseObject({ kind: z.string(), id: z.string(), title: z.string() })),
  more: z.boolean(),
})

/** Lists the entities of the Space by name, without their texts. */
export function createListTool(kinds: readonly Kind[]): Tool<Input, ListResult> {
  return {
    name: 'list',
    title: 'List the content of a Space',
    offered: 'both',
    description:
      'List or count entities by name, for “how many” and “which”. Without arguments: all counts and the top pages. ' +
      `Returns ${maxListed} at a time. Example: {"where":"tag = sea; rating >= 7","sort":"-rating"}`,
    input: z.object({
      kind: z
        .enum(kinds.map(({ type }) => type))
        .optional()
        .describe('Only this kind, by title'),
      status: z.string().max(40).optional().describe('Only with this status, such as open'),
      below: z.uuid().optional().describe('Id of a page: only its subpages'),
      after: z.uuid().optional().describe('Last id of the previous list, to continue'),
      where: z.string().max(1000).optional().describe('Conditions on pages'),
      sort: z.string().max(200).optional().describe('Property of pages; - for descending'),
    }),
    names: {
      type: 'kind',
      entity_type: 'kind',
      parent: 'below',
      parent_id: 'below',
      filter: 'where',
      order: 'sort',
      cursor: 'after',
    },
    values: kindNames,
    byPath: { id: 'below' },
    capability: 'read',
    actionClass: 'navigational',
    async handler({ kind, status, below, after, where, sort }, ctx) {
      return await ctx.services.list(ctx.actor, {
        space_id: ctx.space_id,
        limit: maxListed,
        ...(kind ? { kind } : {}),
        ...(status ? { status } : {}),
        ...(below ? { below } : {}),
        ...(after ? { after } : {}),
        ...(where ? { where: where.split(';').filter((one) => one.trim() !== '') } : {}),
        ...(sort ? { sort } : {}),
      })
    },
    render: ({ found, counts, items, more }) => {
      const head =
        found === undefined ? `The Space holds: ${countsText(counts)}.` : `Pages that match: ${found}.`
      const lines = takeWithin(items.map(toLine), maxTokens - estimateTokens(`${head}\n${goOn}\n`))
      return [head, ...lines, ...(more || lines.length < items.length ? [goOn] : [])].join('\n')
    },
    structured: {
      schema: listing,
      of: ({ found, counts, items, more }) => ({
        counts,
        items,
        more,
        ...(found === undefined ? {} : { found }),
      }),
    },
    // A list gives names only, and a name can carry an instruction.
    given: ({ items }) =>
      items.map(({ kind, id, title }) => ({ entity_type: kind, entity_id: id, title, given_by: 'search' })),
    summarize: ({ items, more }) => `${items.length}${more ? ' and more' : ''}`,
  }
}

function toLine({ kind, id, title, status, due_on, has_children, properties = {} }: Listed): string {
  const values = Object.entries(properties).map(([name, value]) => `${name}: ${value}`)
  const facts = [status, due_on && `due ${due_on}`, has_children && 'has pages below', ...values].filter(
    Boolean,
  )
  return `${kind} ${id} ${quoteName(title, perName)}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`
}
