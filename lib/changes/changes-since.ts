import type { PendingChange } from '../contract/card.ts'
import type { ChangeSince } from '../contract/decision.ts'
import type { Queryable } from '../db/pool.ts'
import { type AuditRow, createAuditRepo } from '../db/repos/audit.ts'
import type { Kind } from '../entities/kind.ts'

/** Entries that are shown; whoever wants more has the history. */
const most = 20
/** Characters of a value that is shown as it is. */
const longest = 500

/** What happened to a draft's target since the version that the draft was made against, the latest first. */
export async function listChangesSince(
  db: Queryable,
  kind: Kind,
  { space_id, entity_id, base_version }: PendingChange,
): Promise<ChangeSince[]> {
  if (base_version === null) return []
  const rows = await createAuditRepo(db).listAfterVersion(
    { space_id, entity_type: kind.type, entity_id },
    base_version,
    most,
  )
  return rows.map(toChange)
}

function toChange({ at, actor, action, version, pending_change_id, before, after }: AuditRow): ChangeSince {
  const names = Object.keys(after ?? before ?? {})
  return {
    at,
    by: actor,
    action,
    version,
    pending_change_id,
    fields: names.map((name) => {
      const sides = { before: before?.[name] ?? null, after: after?.[name] ?? null }
      const long = [sides.before, sides.after].some((value) => (JSON.stringify(value)?.length ?? 0) > longest)
      return { name, ...(long ? { before: null, after: null } : sides), long }
    }),
  }
}
