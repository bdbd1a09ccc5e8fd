// All routes of the API, in one list. A new resource is a file here and a line in this list.

import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Guard } from '../guard.ts'
import type { Route } from '../route.ts'
import { activityRoutes } from './activity.ts'
import { agentRoutes } from './agents.ts'
import { attachmentRoutes } from './attachments.ts'
import { attentionRoutes } from './attention.ts'
import { auditRoutes } from './audit.ts'
import { blameRoutes } from './blame.ts'
import { captureRoutes } from './captures.ts'
import { changesetRoutes } from './changesets.ts'
import { companionRoutes } from './companion.ts'
import { conversationRoutes } from './conversations.ts'
import { entityRoutes } from './entities.ts'
import { eventRoutes } from './events.ts'
import { exportRoutes } from './export.ts'
import { externalImageRoutes } from './external-images.ts'
import { favouriteRoutes } from './favourites.ts'
import { glanceRoutes } from './glance.ts'
import { historyRoutes } from './history.ts'
import { importRoutes } from './import.ts'
import { importJobRoutes } from './import-jobs.ts'
import { inboxRoutes } from './inbox.ts'
import { mailRoutes } from './mail.ts'
import { mcpRoutes } from './mcp.ts'
import { messageRoutes } from './messages.ts'
import { modelRoutes } from './model.ts'
import { noteRoutes } from './notes.ts'
import { oauthRoutes } from './oauth.ts'
import { openingRoutes } from './openings.ts'
import { originalRoutes } from './originals.ts'
import { overviewRoutes } from './overview.ts'
import { pageListRoutes } from './page-list.ts'
import { pagePropertiesRoutes } from './page-properties.ts'
import { pageTreeRoutes } from './page-tree.ts'
import { passkeyRoutes } from './passkeys.ts'
import { pendingChangeRoutes } from './pending-changes.ts'
import { researchRoutes } from './research.ts'
import { routingDecisionRoutes } from './routing-decisions.ts'
import { searchRoutes } from './search.ts'
import { secretRoutes } from './secrets.ts'
import { sessionRoutes } from './session.ts'
import { signedInRoutes } from './sessions.ts'
import { sourceRoutes } from './sources.ts'
import { spaceRoutes } from './spaces.ts'
import { suggestRoutes } from './suggest.ts'
import { healthRoutes, metricsRoutes, openApiRoutes } from './system.ts'
import { taskGroupRoutes } from './task-groups.ts'
import { todayRoutes } from './today.ts'
import { toolResultRoutes } from './tool-results.ts'
import { trashRoutes } from './trash.ts'
import { trustRoutes } from './trust.ts'
import { turnRoutes } from './turns.ts'
import { undoRoutes } from './undo.ts'
import { usageRoutes } from './usage.ts'

export function listRoutes(kinds: Kinds, guard: Guard): Route[] {
  const routes = [
    ...healthRoutes,
    ...metricsRoutes,
    ...sessionRoutes(guard),
    ...signedInRoutes,
    ...passkeyRoutes,
    ...spaceRoutes,
    ...pageTreeRoutes,
    ...favouriteRoutes,
    ...pagePropertiesRoutes,
    ...pageListRoutes,
    ...overviewRoutes,
    ...noteRoutes,
    ...trashRoutes,
    ...companionRoutes,
    ...turnRoutes,
    ...openingRoutes,
    ...conversationRoutes,
    ...messageRoutes(kinds),
    ...routingDecisionRoutes,
    ...researchRoutes,
    ...kinds.all.flatMap(entityRoutes),
    ...kinds.all.flatMap(historyRoutes),
    ...kinds.all.flatMap(blameRoutes),
    ...taskGroupRoutes,
    ...todayRoutes,
    ...originalRoutes,
    ...attachmentRoutes,
    ...externalImageRoutes,
    ...captureRoutes,
    ...importRoutes,
    ...importJobRoutes,
    ...trustRoutes,
    ...exportRoutes,
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
    ...mcpRoutes,
    ...oauthRoutes,
    ...secretRoutes,
    ...sourceRoutes,
    ...toolResultRoutes(kinds),
    ...mailRoutes,
    ...glanceRoutes,
  ]
  return [...routes, ...openApiRoutes(routes)]
}
