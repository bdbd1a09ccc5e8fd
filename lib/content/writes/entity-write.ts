import type { Origin } from '../../contract/entities/kind.ts'

/** A change of one entity. */
export type EntityWrite =
  | {
      action: 'create'
      type: string
      space_id: string
      /** Generated when left out. */
      id?: string
      fields: Record<string, unknown>
      /** Values for the kind's hidden columns: an import's original bytes. */
      hidden?: Record<string, unknown>
      /** Its paths in an imported folder, by which links may refer to it. */
      paths?: readonly string[]
      origin?: Origin
    }
  | {
      action: 'update'
      type: string
      space_id: string
      id: string
      version: number
      fields: Record<string, unknown>
    }
  | {
      action: 'delete' | 'restore'
      type: string
      space_id: string
      id: string
      /** `null`: whichever is current once the write has its turn. */
      version: number | null
    }

export type WriteOf<Action extends EntityWrite['action']> = Extract<EntityWrite, { action: Action }>
