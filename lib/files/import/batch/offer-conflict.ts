// Handles conflicts between a changed file and its edited entity: nothing is overwritten. The file's changes are merged
// with the owner's edit where they do not overlap, and the result waits in the Inbox as a draft like any agent's.

import { mergeInThread } from '../../../changes/compare-drafts.ts'
import type { ProposeChange } from '../../../changes/propose/propose.ts'
import { findPastFields } from '../../../content/writes/history.ts'
import type { Kinds } from '../../../contract/entities/kinds.ts'
import type { AgentActor } from '../../../core/actor.ts'
import { AppError } from '../../../core/errors.ts'
import type { Database } from '../../../db/pool.ts'
import { createAgentsRepo } from '../../../db/repos/agents.ts'
import { createEntitiesRepo } from '../../../db/repos/entities.ts'
import { createImportFilesRepo } from '../../../db/repos/import_files.ts'
import type { TextThreads } from '../../../jobs/workers/text-threads.ts'
import type { FileConflict } from './batch-context.ts'

/**
 * Stores a draft for a conflict; returns the outcome, as the rest of a sentence about the file. Throws only if the
 * database cannot be reached.
 */
export type OfferConflict = (
  place: { space_id: string; source: string },
  conflict: FileConflict,
) => Promise<string>

export type OfferDeps = {
  database: Database
  kinds: Kinds
  threads: TextThreads
  proposeChange: ProposeChange
}

const importer = {
  id: '00000000-0000-7000-8000-000000000002',
  slug: 'import',
  name: 'Import',
  capabilities: { read: false, suggest: true, write: false },
  scopes: { spaces: null },
} as const

export function createOfferConflict({ database, kinds, threads, proposeChange }: OfferDeps): OfferConflict {
  return async ({ space_id, source }, conflict) => {
    const { path, sha256, entity_type, entity_id } = conflict
    try {
      const kind = kinds.get(entity_type)
      const current = await createEntitiesRepo(database).find(kind, space_id, entity_id)
      if (!current) return 'it was deleted here in the meantime'
      const fields = Object.keys(conflict.fields)
      const base = await findPastFields(database, kind, current, { version: conflict.version, fields })
      const { bodyField } = kind
      const texts = { bodyField, base, current, payload: conflict.fields }
      const merged = await mergeInThread(threads, texts)
      const payload = merged.conflicts.length === 0 ? merged.payload : conflict.fields
      await createAgentsRepo(database).insertOnce(importer)
      const reason =
        merged.conflicts.length === 0
          ? `${path} changed. This draft adds its change to your edits.`
          : `${path} changed where you edited too. This draft is the file’s version.`
      await proposeChange(asImporter(), {
        space_id,
        entity_type,
        entity_id,
        action: 'update',
        version: current.version,
        payload,
        reason,
        turn: null,
        tool_use_id: null,
      })
      // Prevents the same file from offering the same again, whatever the decision.
      await createImportFilesRepo(database).acceptHash({ space_id, source }, path, sha256)
      return 'you edited it here; the file’s change is in the Inbox'
    } catch (error) {
      if (!(error instanceof AppError) || error.status === 503) throw error
      return `you edited it here; its change could not be drafted: ${error.message}`
    }
  }
}

const asImporter = (): AgentActor => ({
  kind: 'agent',
  agent_id: importer.id,
  slug: importer.slug,
  capabilities: importer.capabilities,
  spaces: null,
})
