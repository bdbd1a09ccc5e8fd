// The audit rows of a page as its history. The autosave of the editor leaves many rows: those of one editing session are
// one version.

import type { AuditRow } from '../../../lib/contract/audit.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'

export type Version = {
  /** The newest row's. */
  seq: number
  /** The oldest row's. */
  since: number
  at: string
  actor: string
  action: string
  version: number | null
  before: Record<string, unknown>
  after: Record<string, unknown>
  pending_change_id: string | null
  undoes: number | null
  /** How many rows it is made of. */
  saves: number
}

const sessionMs = 10 * 60_000

/** Newest first, as the rows are. */
export function groupVersions(rows: readonly AuditRow[]): Version[] {
  const versions: Version[] = []
  let earliest = 0

  for (const row of rows) {
    const last = versions.at(-1)
    const at = Date.parse(row.at)
    if (last && isSameSession(last, row) && earliest - at <= sessionMs) {
      last.before = { ...last.before, ...row.before }
      last.after = { ...row.after, ...last.after }
      last.since = row.seq
      last.saves += 1
    } else {
      const { seq, actor, action, version, pending_change_id, undoes } = row
      const sides = { before: { ...row.before }, after: { ...row.after } }
      versions.push({
        seq,
        since: seq,
        at: row.at,
        actor,
        action,
        version,
        pending_change_id,
        undoes,
        ...sides,
        saves: 1,
      })
    }
    earliest = at
  }
  return versions.map(dropUnchanged)
}

const isSameSession = (version: Version, row: AuditRow) =>
  version.action === 'update' &&
  row.action === 'update' &&
  version.actor === row.actor &&
  !version.pending_change_id &&
  !row.pending_change_id &&
  version.undoes === null &&
  row.undoes === null

// What was changed and changed back within a session has not changed.
function dropUnchanged(version: Version): Version {
  if (version.action !== 'update') return version
  const changed = Object.keys(version.after).filter((name) => version.before[name] !== version.after[name])
  const pick = (side: Record<string, unknown>) =>
    Object.fromEntries(changed.map((name) => [name, side[name]]))
  return { ...version, before: pick(version.before), after: pick(version.after) }
}

/** What happened, as the end of "You …". */
export function describeVersion({ action, before, after, pending_change_id, undoes }: Version): string {
  const how = pending_change_id ? ' from a draft' : undoes !== null ? ', undoing an earlier change' : ''
  if (action === 'create') return `created the page${how}`
  if (action === 'delete') return `deleted it${how}`
  if (action === 'restore') return `restored it${how}`
  const did = [
    'body' in after && 'edited the text',
    'title' in after && `renamed it from ${quoteShown(String(before.title))}`,
    'parent_id' in after && 'moved it',
    'position' in after && !('parent_id' in after) && 'reordered it',
  ].filter((part) => part !== false)
  return `${listed(did.length > 0 ? did : ['saved it without changes'])}${how}`
}

const listed = (parts: string[]) =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
