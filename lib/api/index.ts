// All routes of the API, in one list. A new resource is a file in routes/ and a line here.

import type { Kinds } from '../entities/kinds.ts'
import type { Guard } from './guard.ts'
import type { Route } from './route.ts'
import { activityRoutes } from './routes/activity.ts'
import { agentRoutes } from './routes/agents.ts'
import { attentionRoutes } from './routes/attention.ts'
import { auditRoutes } from './routes/audit.ts'
import { blameRoutes } from './routes/blame.ts'
import { changesetRoutes } from './routes/changesets.ts'
import { companionRoutes } from './routes/companion.ts'
import { conversationRoutes } from './routes/conversations.ts'
import { entityRoutes } from './routes/entities.ts'
import { eventRoutes } from './routes/events.ts'
import { exportRoutes } from './routes/export.ts'
import { historyRoutes } from './routes/history.ts'
import { importRoutes } from './routes/import.ts'
import { importJobRoutes } from './routes/import-jobs.ts'
import { inboxRoutes } from './routes/inbox.ts'
import { modelRoutes } from './routes/model.ts'
import { originalRoutes } from './routes/originals.ts'
import { overviewRoutes } from './routes/overview.ts'
import { pageTreeRoutes } from './routes/page-tree.ts'
import { pendingChangeRoutes } from './routes/pending-changes.ts'
import { routingDecisionRoutes } from './routes/routing-decisions.ts'
import { searchRoutes } from './routes/search.ts'
import { sessionRoutes } from './routes/session.ts'
import { spaceRoutes } from './routes/spaces.ts'
import { suggestRoutes } from './routes/suggest.ts'
import { healthRoutes, openApiRoutes } from './routes/system.ts'
import { taskGroupRoutes } from './routes/task-groups.ts'
import { trashRoutes } from './routes/trash.ts'
import { turnRoutes } from './routes/turns.ts'
import { undoRoutes } from './routes/undo.ts'
import { usageRoutes } from './routes/usage.ts'
import { vaultRoutes } from './routes/vault.ts'

export function listRoutes(kinds: Kinds, guard: Guard): Route[] {
  const routes = [
    ...healthRoutes,
    ...sessionRoutes(guard),
    ...spaceRoutes,
    ...pageTreeRoutes,
    ...overviewRoutes,
    ...trashRoutes,
    ...companionRoutes,
    ...turnRoutes,
    ...conversationRoutes,
    ...routingDecisionRoutes,
    ...kinds.all.flatMap(entityRoutes),
    ...kinds.all.flatMap(historyRoutes),
    ...kinds.all.flatMap(blameRoutes),
    ...taskGroupRoutes,
    ...originalRoutes,
    ...importRoutes,
    ...importJobRoutes,
    ...exportRoutes,
    ...vaultRoutes,
    ...searchRoutes,
    ...suggestRoutes,
    ...pendingChangeRoutes,
    ...changesetRoutes,
    ...inboxRoutes,
    ...attentionRoutes,
    ...auditRoutes,
    ...undoRoutes,
    ...activityRoutes,
    ...modelRoutes,
    ...usageRoutes,
    ...eventRoutes,
    ...agentRoutes,
  ]
  return [...routes, ...openApiRoutes(routes)]
}
