import type { Guard } from '../../lib/api/guard.ts'
import type { Route } from '../../lib/api/route.ts'
import { listRoutes } from '../../lib/api/routes/list-routes.ts'
import { kinds } from '../../lib/contract/entities/kinds.ts'

const guard: Guard = {
  admit: () => Promise.reject(new Error('no route is called here')),
  admitMore: () => Promise.reject(new Error('no route is called here')),
  attempt: () => Promise.reject(new Error('no route is called here')),
}

/** All routes as they are declared; they cannot be called. */
export const declaredRoutes = (): Route[] => listRoutes(kinds, guard)
