import type { Queryable } from './db/pool.ts'
import { createAgentsRepo } from './db/repos/agents.ts'
import { createAuditRepo } from './db/repos/audit.ts'
import { createEntitiesRepo } from './db/repos/entities.ts'
import { createImportJobsRepo } from './db/repos/import_jobs.ts'
import { createLinksRepo } from './db/repos/links.ts'
import { createPendingChangeListsRepo } from './db/repos/pending_change_lists.ts'
import { createPendingChangesRepo } from './db/repos/pending_changes.ts'
import { createPendingOpeningsRepo } from './db/repos/pending_openings.ts'
import { createRoutingDecisionsRepo } from './db/repos/routing_decisions.ts'
import { createSourceDocsRepo } from './db/repos/source_docs.ts'
import { createSpacesRepo } from './db/repos/spaces.ts'
import { createToolCallsRepo, createToolResultsRepo } from './db/repos/tool_calls.ts'
import { createTrashRepo } from './db/repos/trash.ts'
import { createTrustedOriginsRepo } from './db/repos/trusted_origins.ts'

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
