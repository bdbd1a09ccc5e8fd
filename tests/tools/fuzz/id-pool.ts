// The ids that answers have named so far, by what they are ids of, so that requests meet what is there.

import type { Random } from './random.ts'

export type IdPool = {
  /** Reads the ids out of a successful answer of this path. */
  learn(path: string, answer: unknown): void
  /** An id of what the path segment or the field names, or of something else; `null` when none is known. */
  pick(name: string, random: Random): string | null
  /** The version in which a row was last seen. */
  versionOf(id: string): number | undefined
  /** Never given out. */
  protect(id: string): void
}

/** Of each sort, the latest; older ones are deleted or old news. */
const maxIds = 60

const sortByField: Record<string, string> = {
  space_id: 'spaces',
  conversation_id: 'conversations',
  active_conversation_id: 'conversations',
  turn_id: 'turns',
  before: 'messages',
  parent_id: 'pages',
  below: 'pages',
  open: 'pages',
  project_id: 'projects',
  changeset_id: 'changesets',
  pending_change_id: 'pending-changes',
  superseded_by: 'pending-changes',
  agent_id: 'agents',
  token_id: 'tokens',
  seq: 'audit',
  payload_sha256: 'hashes',
  next_cursor: 'cursors',
  cursor: 'cursors',
  to: 'conversations',
}

export function createIdPool(): IdPool {
  const bySort = new Map<string, string[]>()
  const versions = new Map<string, number>()
  const secret = new Set<string>()

  return {
    learn(path, answer) {
      const named = path
        .split('?')[0]!
        .split('/')
        .filter((part) => /^[a-z][a-z-]+$/.test(part))
      walk(answer, named.at(-1) ?? '', 0)
    },

    pick(name, random) {
      const sort = sortByField[name] ?? name
      const known = bySort.get(sort)
      if (known?.length && !random.chance(0.1)) return random.pick(known)
      const all = [...bySort.values()].filter((ids) => ids.length > 0)
      return all.length > 0 ? random.pick(random.pick(all)) : null
    },

    versionOf: (id) => versions.get(id),

    protect(id) {
      secret.add(id)
      for (const [sort, ids] of bySort)
        bySort.set(
          sort,
          ids.filter((known) => known !== id),
        )
    },
  }

  function walk(value: unknown, sort: string, depth: number): void {
    if (typeof value !== 'object' || value === null || depth > 4) return
    if (Array.isArray(value)) {
      for (const item of value.slice(0, 20)) walk(item, sort, depth + 1)
      return
    }
    for (const [key, field] of Object.entries(value)) {
      if (typeof field === 'object') walk(field, key === 'items' ? sort : key, depth + 1)
      else if (typeof field === 'string' || typeof field === 'number') learn(value, sort, key, String(field))
    }
  }

  function learn(row: object, sort: string, key: string, text: string): void {
    const isId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text) || /^(seq|next_cursor|payload_sha256)$/.test(key)
    if (!isId || secret.has(text)) return
    if (key === 'id') {
      // What an agent writes is answered with a draft.
      add('payload_sha256' in row ? 'pending-changes' : sort, text)
      const version: unknown = Reflect.get(row, 'version')
      if (typeof version === 'number') versions.set(text, version)
    } else if (key === 'entity_id') {
      add(`${String(Reflect.get(row, 'entity_type')).replace('_', '-')}s`, text)
    } else if (key in sortByField) add(sortByField[key]!, text)
  }

  function add(sort: string, id: string): void {
    const ids = bySort.get(sort) ?? []
    bySort.set(sort, ids)
    if (ids.includes(id)) return
    ids.push(id)
    if (ids.length > maxIds) ids.shift()
  }
}
