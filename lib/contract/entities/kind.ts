// What a kind of entity is. One definition drives validation, routes, tools, search text and diffs; adding a kind is
// one file beside this one and one migration for its table (which carries the columns of `EntityRow`).

import { z } from 'zod'

export const origins = ['owner', 'agent', 'import', 'mail', 'web', 'mcp'] as const
export type Origin = (typeof origins)[number]

/** The columns every entity table has. */
export const sharedColumns = z.object({
  id: z.uuid(),
  space_id: z.uuid(),
  version: z.int().min(1),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  created_by: z.string(),
  updated_by: z.string(),
  origin: z.enum(origins),
  deleted_at: z.iso.datetime().nullable(),
})

/** The shared columns, and the kind's own ones after them. */
export type EntityRow = z.infer<typeof sharedColumns> & { [column: string]: unknown }

export type Kind = {
  /** Its name on the wire, such as `source_doc`. */
  type: string
  /** Its table, such as `source_docs`. */
  table: string
  /** Its segment in a URL, such as `source-docs`. */
  path: string
  /** Its name in a sentence. */
  label: string
  plural: string
  /** The columns a caller may set, none with a default (the table has those). */
  fields: z.ZodObject
  /** Fields a new one cannot do without. */
  required: readonly string[]
  /** What the table gives a new one for fields that are left out; every other field is then `null`. */
  defaults: Readonly<Record<string, unknown>>
  /** Fields that are fixed once the entity exists. */
  fixed: readonly string[]
  /** Columns that are shown and never set by a caller. */
  derived: z.ZodObject
  /** Columns worked out from the fields of a new entity. */
  derive: (fields: Record<string, unknown>) => Record<string, unknown>
  /** The fields that an update comes to, given the row it is of and the day: a task that repeats is not closed but moved. */
  resolveUpdate: (row: EntityRow, fields: Record<string, unknown>, today: string) => Record<string, unknown>
  /** The field with the long text. */
  bodyField: string
  /** The field that lists can be filtered by. */
  statusField: string | null
  /** Fields that hold the id of another entity, with the kind of it. */
  references: Readonly<Record<string, string>>
  /** Columns too large to travel with a row. */
  hidden: readonly string[]
  /** What a search finds it by, besides its title. */
  searchText: (row: EntityRow) => string
  /** Whether that is its long text alone, so that the lines of a passage are those of the text. */
  searchesBody: boolean
  /** For agents: whether they may draft a change of this kind; `update`: of one that is there, and no deletion. */
  proposable: 'yes' | 'update' | 'no'
  /** Has no routes, lists or links of its own: it is the subject of a draft, or belongs to a part with its own ways. */
  internal: boolean
  /**
   * An effect outside of Void, which cannot be undone: its draft is approved whole, and the owner edits these fields alone.
   * `asks`: what an agent gives of it, where that is not its fields. `null`: it is a thing of the Space.
   */
  effect: { editable: readonly string[]; asks?: string } | null
  /** Whether it has passages in the search index. Left out: unless it is internal. */
  searched: boolean
}

type KindInput = Pick<Kind, 'type' | 'table' | 'path' | 'label' | 'fields'> & Partial<Kind>

/** A kind whose row type can be inferred. */
type KindOf<Input extends KindInput> = Omit<Kind, 'fields' | 'derived'> &
  Pick<Input, 'fields'> &
  Pick<Kind & Input, 'derived'>

/** Fills in what most kinds share: a `title`, a `body` that is searched, nothing fixed, derived or hidden. */
export function defineKind<Input extends KindInput>(input: Input): KindOf<Input> {
  const bodyField = input.bodyField ?? 'body'

  return {
    plural: `${input.label}s`,
    required: ['title'],
    defaults: { [bodyField]: '' },
    fixed: [],
    derived: z.object({}),
    derive: () => ({}),
    resolveUpdate: (_row, fields) => fields,
    statusField: null,
    references: {},
    hidden: [],
    proposable: 'yes',
    internal: false,
    effect: null,
    searched: !input.internal,
    searchText: (row) => textOf(row[bodyField]),
    searchesBody: !input.searchText,
    ...input,
    bodyField,
  }
}

/** A column as text; anything but a string is the empty text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The title of any entity: every kind has one. */
export const titleOf = (row: EntityRow): string => textOf(row.title)
