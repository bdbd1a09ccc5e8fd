import type { Queryable } from '../pool.ts'
import { createAgentsRepo } from './agents.ts'
import { createAuditRepo } from './audit.ts'
import { createConversationAttachmentsRepo } from './conversation_attachments.ts'
import { createEntitiesRepo, createTrashRepo } from './entities.ts'
import { createSourceDocsRepo } from './files.ts'
import { createImportJobsRepo } from './import_jobs.ts'
import { createLinksRepo } from './links.ts'
import { createMessagesRepo } from './messages.ts'
import { createPendingChangeListsRepo, createPendingOpeningsRepo } from './pending_change_lists.ts'
import { createPendingChangesRepo } from './pending_changes.ts'
import { createRoutingDecisionsRepo } from './routing_decisions.ts'
import { createSpacesRepo } from './spaces.ts'
import { createToolCallsRepo, createToolResultsRepo } from './tool_calls.ts'
import { createTrustedOriginsRepo } from './trusted_origins.ts'

/** The repos that routes call where one query is all there is to do. */
export const createRepos = (db: Queryable) => ({
  agents: createAgentsRepo(db),
  audit: createAuditRepo(db),
  conversationAttachments: createConversationAttachmentsRepo(db),
  entities: createEntitiesRepo(db),
  importJobs: createImportJobsRepo(db),
  links: createLinksRepo(db),
  messages: createMessagesRepo(db),
  pendingChangeLists: createPendingChangeListsRepo(db),
  pendingChanges: createPendingChangesRepo(db),
  pendingOpenings: createPendingOpeningsRepo(db),
  routingDecisions: createRoutingDecisionsRepo(db),
  sourceDocs: createSourceDocsRepo(db),
  spaces: createSpacesRepo(db),
  toolCalls: createToolCallsRepo(db),
  toolResults: createToolResultsRepo(db),
  trash: createTrashRepo(db),
  trustedOrigins: createTrustedOriginsRepo(db),
})

export type Repos = ReturnType<typeof createRepos>
