import type { Actor } from '../core/actor.ts'

export type Action = 'read' | 'create' | 'update' | 'delete' | 'call' | 'decide' | 'administer'
export type Permission = 'allow' | 'suggest' | 'deny'

/**
 * What `actor` may do to an entity of `entityType`: do it, only suggest it (a pending change), or neither.
 *
 * An agent is never answered `allow` for anything but reading, whatever its capabilities say: the owner's approval
 * is the only way a change happens. `entityType` is part of the question so that a rule for one kind has a place.
 */
export function canAct(actor: Actor, action: Action, _entityType: string): Permission {
  if (actor.kind !== 'agent') return 'allow'

  switch (action) {
    case 'read':
      return actor.capabilities.read ? 'allow' : 'deny'
    case 'create':
    case 'update':
    case 'delete':
    case 'call':
      return actor.capabilities.suggest ? 'suggest' : 'deny'
    default:
      return 'deny'
  }
}

/** Whether `actor` may look into the Space at all. The same answer must hold in the query's WHERE. */
export function mayEnterSpace(actor: Actor, spaceId: string): boolean {
  return actor.kind !== 'agent' || actor.spaces === null || actor.spaces.includes(spaceId)
}
