import type { ChangeSince } from '../../contract/changes/decision.ts'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import type { Queryable } from '../../db/pool.ts'
import { createAuditOfDraftsRepo, type LaterChange } from '../../db/repos/decisions.ts'

/** More are in the entity's history. */
const maxChanges = 20
/** A value longer than this is left out. In characters of its JSON. */
const maxValueLength = 500

/**
 * What happened to the target of each draft since the version that it was made against, newest first; in the order of
 * the drafts. One statement, none for no drafts.
 */
export async function loadChangesSince(
  db: Queryable,
  drafts: readonly PendingChange[],
): Promise<ChangeSince[][]> {
  if (drafts.length === 0) return []
  const targets = drafts.map(({ base_version, ...target }) => ({ ...target, version: base_version ?? 0 }))
  const changes = await createAuditOfDraftsRepo(db).listAfterVersions(targets, maxChanges)
  return changes.map((rows) => rows.map(toChangeSince))
}

function toChangeSince(change: LaterChange): ChangeSince {
  const { at, actor, action, version, pending_change_id, before, after } = change
  const names = Object.keys(after ?? before ?? {})
  return {
    at,
    by: actor,
    action,
    version,
    pending_change_id,
    fields: names.map((name) => {
      const sides = { before: before?.[name] ?? null, after: after?.[name] ?? null }
      const long = [sides.before, sides.after].some((value) => JSON.stringify(value).length > maxValueLength)
      return { name, ...(long ? { before: null, after: null } : sides), long }
    }),
  }
}
