// All routes of the API, in one list. A new resource is a file here and a line in this list.

import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Guard } from '../guard.ts'
import type { Route } from '../route.ts'
import { activityRoutes, toolResultRoutes } from './activity.ts'
import { agentRoutes } from './agents.ts'
import { changesetRoutes } from './changesets.ts'
import { commandRoutes } from './commands.ts'
import { companionRoutes } from './companion.ts'
import { conversationRoutes, openingRoutes, routingDecisionRoutes } from './conversations.ts'
import { entityRoutes } from './entities.ts'
import { eventRoutes } from './events.ts'
import { exportRoutes } from './export.ts'
import { attachmentRoutes, externalImageRoutes, originalRoutes } from './files.ts'
import { folderRoutes } from './folders.ts'
import { glanceRoutes } from './glance.ts'
import { graphRoutes } from './graph.ts'
import { auditRoutes, blameRoutes, historyRoutes, trashRoutes, undoRoutes } from './history.ts'
import { importJobRoutes, importRoutes } from './imports.ts'
import { attentionRoutes, inboxRoutes } from './inbox.ts'
import { mailRoutes } from './mail.ts'
import { mcpRoutes, oauthRoutes } from './mcp.ts'
import { memoryRoutes } from './memory.ts'
import { messageRoutes } from './messages.ts'
import { modelRoutes, usageRoutes } from './model.ts'
import { captureRoutes, noteRoutes } from './notes.ts'
import { pageListRoutes, pagePropertiesRoutes, pageTreeRoutes } from './pages.ts'
import { pendingChangeRoutes } from './pending-changes.ts'
import { previewRoutes } from './previews.ts'
import { researchRoutes } from './research.ts'
import { routineRoutes } from './routines.ts'
import { searchRoutes, suggestRoutes } from './search.ts'
import { secretRoutes } from './secrets.ts'
import { passkeyRoutes, sessionRoutes, signedInRoutes } from './session.ts'
import { sourceRoutes } from './sources.ts'
import { contentsRoutes, favouriteRoutes, overviewRoutes, spaceRoutes } from './spaces.ts'
import { healthRoutes, openApiRoutes, timeZoneRoutes } from './system.ts'
import { taskGroupRoutes, todayRoutes } from './tasks.ts'
import { trustRoutes } from './trust.ts'
import { turnRoutes } from './turns.ts'

/** What a companion does without being asked. */
const byItself = [...glanceRoutes, ...routineRoutes, ...memoryRoutes]

export function listRoutes(kinds: Kinds, guard: Guard): Route[] {
  const routes = [
    ...healthRoutes,
    ...timeZoneRoutes,
    ...sessionRoutes(guard),
    ...signedInRoutes,
    ...passkeyRoutes,
    ...spaceRoutes,
    ...[pageTreeRoutes, graphRoutes].flat(),
    ...favouriteRoutes,
    ...pagePropertiesRoutes,
    ...pageListRoutes,
    ...overviewRoutes,
    ...contentsRoutes,
    ...noteRoutes,
    ...commandRoutes,
    ...trashRoutes,
    ...companionRoutes,
    ...turnRoutes,
    ...openingRoutes,
    ...conversationRoutes,
    ...messageRoutes(kinds),
    ...routingDecisionRoutes,
    ...researchRoutes,
    ...[entityRoutes, previewRoutes, historyRoutes, blameRoutes].flatMap((of) => kinds.all.flatMap(of)),
    ...taskGroupRoutes,
    ...todayRoutes,
    ...originalRoutes,
    ...attachmentRoutes,
    ...externalImageRoutes,
    ...captureRoutes,
    ...importRoutes,
    ...importJobRoutes,
    ...folderRoutes,
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
    ...byItself,
  ]
  return [...routes, ...openApiRoutes(routes, kinds)]
}
