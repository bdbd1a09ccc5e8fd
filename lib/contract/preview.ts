import type { Links } from './entities.ts'

export type TitledEntity = { entity_type: string; entity_id: string; title: string }

/** One entity as it would be. */
export type EntityPreview = {
  entity_type: string
  entity_id: string
  /** Its row; `deleted_at` is set when it would be in the trash. */
  entity: Record<string, unknown>
  links: Links['links']
  backlinks: Links['backlinks']
  /** Of a project: its tasks. */
  tasks: { id: string; title: string; status: string; due_on: string | null }[]
  /** Of a page: the pages right below it. */
  children: { id: string; title: string }[]
}

/** A link that leads nowhere, in another entity than those previewed. */
export type BrokenLink = TitledEntity & { name: string }

/** What approving would lead to. Times of change are those of the preview. */
export type Preview = {
  entities: EntityPreview[]
  /** Links that lead somewhere now and would lead nowhere, and the other way round. */
  broken: BrokenLink[]
  mended: BrokenLink[]
}
