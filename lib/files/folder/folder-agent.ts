// Drafts in the name of a folder: it may propose, and neither reads nor writes.

import type { AgentActor } from '../../core/actor.ts'
import type { AppError } from '../../core/errors.ts'
import type { Database } from '../../db/pool.ts'
import { createAgentsRepo } from '../../db/repos/agents.ts'

export const folderAgent = {
  id: '00000000-0000-7000-8000-000000000003',
  slug: 'folder-in-step',
  name: 'Folder',
  capabilities: { read: false, suggest: true, write: false },
  scopes: { spaces: null },
} as const

/** Stores the agent at its first draft. */
export async function enterAsFolder(database: Database): Promise<AgentActor> {
  await createAgentsRepo(database).insertOnce(folderAgent)
  return asFolder
}

export const asFolder: AgentActor = {
  kind: 'agent',
  agent_id: folderAgent.id,
  slug: folderAgent.slug,
  capabilities: folderAgent.capabilities,
  spaces: null,
}

/** The agent has as many drafts as it may: one more is stored once some are decided on. */
export const isOverLimit = ({ code }: AppError): boolean =>
  code === 'too_many_drafts' || code === 'too_many_requests'

export const overLimit = 'waits until you have decided on other changes of the folder'
