// Definition of an entity kind. It drives validation, routes, tools, search text and diffs. To add a kind, add a file
// to this folder and a migration for its table, with the columns of `EntityRow`.

import { z } from 'zod'

export const origins = ['owner', 'agent', 'import', 'mail', 'web', 'mcp', 'folder'] as const
export type Origin = (typeof origins)[number]

/** Columns common to all entity tables. */
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

/** A row: the shared columns and the kind's own columns. */
export type EntityRow = z.infer<typeof sharedColumns> & { [column: string]: unknown }

/** The day of a write, YYYY-MM-DD, and the owner's time zone. */
export type Moment = { today: string; zone: string }

/** A part of a searchable text. `share`: how much its words count. */
export type SearchPart = { text: string; share: number }

export type Kind = {
  /** Name in the API, such as `source_doc`. */
  type: string
  /** Table name, such as `source_docs`. */
  table: string
  /** URL segment, such as `source-docs`. */
  path: string
  /** Display name for use in a sentence. */
  label: string
  plural: string
  /** Columns that callers can set, without defaults (the table has those). */
  fields: z.ZodObject
  /** Fields required on create. */
  required: readonly string[]
  /** Table defaults of omitted fields; all other fields default to `null`. */
  defaults: Readonly<Record<string, unknown>>
  /** Fields that cannot be changed after creation. */
  fixed: readonly string[]
  /** Read-only columns. */
  derived: z.ZodObject
  /** Computes columns from the fields of a new entity. */
  derive: (fields: Record<string, unknown>) => Record<string, unknown>
  /** Resolves the fields of an update for a row and the current day: a recurring task is moved instead of closed. */
  resolveUpdate: (
    row: EntityRow,
    fields: Record<string, unknown>,
    moment: Moment,
  ) => Promise<Record<string, unknown>>
  /** Name of the long text field. */
  bodyField: string
  /** Name of the field that lists can be filtered by. */
  statusField: string | null
  /** Reference fields, with the kind that each refers to. */
  references: Readonly<Record<string, string>>
  /** Columns omitted from rows because of their size. */
  hidden: readonly string[]
  /** Searchable text besides the title. */
  searchText: (row: EntityRow) => string
  /** `searchText` in parts that count differently in search; joined by blank lines they are that text. `null`: one part. */
  searchParts: ((row: EntityRow) => SearchPart[]) | null
  /** `true` if `searchText` is the long text alone, so line numbers of passages are those of the text. */
  searchesBody: boolean
  /** `true` if agents can propose changes of it. */
  proposable: boolean
  /** Fields that no proposal can set. */
  reserved: readonly string[]
  /** Fields of a proposal that are stored in the front matter of the long text. */
  frontMatter: z.ZodObject | null
  /** `true` for a kind without generic routes, lists and links, such as the subject of a draft. */
  internal: boolean
  /**
   * An effect outside Void, which cannot be undone. Its draft is approved as a whole, and the owner can edit only the
   * `editable` fields. `asks`: the agent's input, if different from the fields. `null`: a regular entity of the Space.
   */
  effect: { editable: readonly string[]; asks?: { fields: z.ZodObject; required: readonly string[] } } | null
  /** `true` if it has passages in the search index. Default: `true` unless internal. */
  searched: boolean
}

type KindInput = Pick<Kind, 'type' | 'table' | 'path' | 'label' | 'fields'> & Partial<Kind>

/** A kind with an inferable row type. */
type KindOf<Input extends KindInput> = Omit<Kind, 'fields' | 'derived'> &
  Pick<Input, 'fields'> &
  Pick<Kind & Input, 'derived'>

/** Defines a kind. Defaults: a `title`, a searchable `body`, and no fixed, derived or hidden columns. */
export function defineKind<Input extends KindInput>(input: Input): KindOf<Input> {
  const bodyField = input.bodyField ?? 'body'

  return {
    plural: `${input.label}s`,
    required: ['title'],
    defaults: { [bodyField]: '' },
    fixed: [],
    derived: z.object({}),
    derive: () => ({}),
    resolveUpdate: async (_row, fields) => fields,
    statusField: null,
    references: {},
    hidden: [],
    proposable: true,
    reserved: [],
    frontMatter: null,
    internal: false,
    effect: null,
    searched: !input.internal,
    searchText: (row) => textOf(row[bodyField]),
    searchParts: null,
    searchesBody: !input.searchText,
    ...input,
    bodyField,
  }
}

/** The fields that an agent can send to propose a change, and those that a create requires. */
export function proposalFields({ fields, reserved, required, frontMatter, effect }: Kind): {
  fields: z.ZodObject
  required: readonly string[]
} {
  if (effect?.asks) return effect.asks
  const shape = Object.entries(fields.shape).filter(([name]) => !reserved.includes(name))
  return { fields: z.object({ ...Object.fromEntries(shape), ...frontMatter?.shape }), required }
}

/** The searchable text of a row: in parts that count differently, where its kind has such. */
export const searchParts = (kind: Kind, row: EntityRow): string | SearchPart[] =>
  kind.searchParts?.(row) ?? kind.searchText(row)

/** A column as text; empty for any value but a string. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Title of an entity of any kind. */
export const titleOf = (row: EntityRow): string => textOf(row.title)
