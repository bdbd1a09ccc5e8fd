import type { Queryable } from './pool.ts'
import { createAgentsRepo } from './repos/agents.ts'
import { createAuditRepo } from './repos/audit.ts'
import { createEntitiesRepo } from './repos/entities.ts'
import { createImportJobsRepo } from './repos/import_jobs.ts'
import { createLinksRepo } from './repos/links.ts'
import { createPendingChangeListsRepo } from './repos/pending_change_lists.ts'
import { createPendingChangesRepo } from './repos/pending_changes.ts'
import { createPendingOpeningsRepo } from './repos/pending_openings.ts'
import { createRoutingDecisionsRepo } from './repos/routing_decisions.ts'
import { createSourceDocsRepo } from './repos/source_docs.ts'
import { createSpacesRepo } from './repos/spaces.ts'
import { createToolCallsRepo, createToolResultsRepo } from './repos/tool_calls.ts'
import { createTrashRepo } from './repos/trash.ts'
import { createTrustedOriginsRepo } from './repos/trusted_origins.ts'

/** The repos that routes call where one query is all there is to do. */
export const createRepos = (db: Queryable) => ({
  agents: createAgentsRepo(db),
  audit: createAuditRepo(db),
  entities: createEntitiesRepo(db),
  importJobs: createImportJobsRepo(db),
  links: createLinksRepo(db),
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
