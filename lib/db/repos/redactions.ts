// What holds the words of a page besides the page: the audit log and its drafts, whose rows the database lets become what a
// `redact` row of the log records, and nothing else (migrations/052), and what conversations were given.

import type { Queryable } from '../pool.ts'

export type PageOfSpace = { space_id: string; id: string }

/** The texts of a row of the audit log. */
export type AuditTexts = { seq: number; before: string | null; after: string | null }

/** The texts of a draft, as they are stored: JSON but for the reason. */
export type DraftTexts = {
  id: string
  payload: string
  reason: string
  provenance: string
  conflicts: string
  drops: string
  decision: string | null
}

export function createRedactionsRepo(db: Queryable) {
  return {
    /** Until the transaction ends. Before the chain's lock. */
    async lockDrafts({ space_id, id }: PageOfSpace): Promise<void> {
      await db.query(
        `select
         from pending_changes
         where space_id = $1 and entity_id = $2
         order by id
         for update`,
        [space_id, id],
      )
    },

    /** By id, after one. */
    async listDrafts(
      { space_id, id }: PageOfSpace,
      after: string | null,
      limit: number,
    ): Promise<(DraftTexts & { status: string; base_version: number | null })[]> {
      const { rows } = await db.query<DraftTexts & { status: string; base_version: number | null }>(
        `select id, status, base_version, payload, reason, provenance::text, conflicts::text, drops::text, decision::text
         from pending_changes
         where space_id = $1 and entity_id = $2 and entity_type = 'page' and ($3::uuid is null or id > $3)
         order by id
         limit $4`,
        [space_id, id, after, limit],
      )
      return rows
    },

    /** In the order of the log, after a row. */
    async listAudit({ space_id, id }: PageOfSpace, after: number, limit: number): Promise<AuditTexts[]> {
      const { rows } = await db.query<AuditTexts>(
        `select seq, before, after
         from audit_log
         where space_id = $1 and entity_id = $2 and entity_type = 'page' and action <> 'redact' and seq > $3
         order by seq
         limit $4`,
        [space_id, id, after, limit],
      )
      return rows
    },

    /** What rows would hash to with these texts, by number. */
    async hashAudit(
      { space_id, id }: PageOfSpace,
      rows: readonly AuditTexts[],
    ): Promise<Record<string, string>> {
      const { rows: hashes } = await db.query<{ key: string; hash: string }>(
        `select audit_log.seq::text as key, audit_hash(redacted_row(audit_log, texts.before, texts.after)) as hash
         from ${auditTexts}
         join audit_log on audit_log.seq = texts.seq and space_id = $1 and entity_id = $2`,
        [space_id, id, ...auditParams(rows)],
      )
      return Object.fromEntries(hashes.map(({ key, hash }) => [key, hash]))
    },

    async redactAudit({ space_id, id }: PageOfSpace, rows: readonly AuditTexts[]): Promise<void> {
      await db.query(
        `update audit_log
         set before = texts.before, after = texts.after
         from ${auditTexts}
         where audit_log.seq = texts.seq and space_id = $1 and entity_id = $2`,
        [space_id, id, ...auditParams(rows)],
      )
    },

    /** What drafts would hash to with these texts, by id. */
    async hashDrafts(
      { space_id, id }: PageOfSpace,
      drafts: readonly DraftTexts[],
    ): Promise<Record<string, string>> {
      const { rows } = await db.query<{ key: string; hash: string }>(
        `select pending_changes.id::text as key,
                draft_hash(redacted_draft(pending_changes, texts.payload, texts.reason, texts.provenance::json,
                  texts.conflicts::json, texts.drops::json, texts.decision::json)) as hash
         from ${draftTexts}
         join pending_changes on pending_changes.id = texts.id and space_id = $1 and entity_id = $2`,
        [space_id, id, ...draftParams(drafts)],
      )
      return Object.fromEntries(rows.map(({ key, hash }) => [key, hash]))
    },

    async redactDrafts({ space_id, id }: PageOfSpace, drafts: readonly DraftTexts[]): Promise<void> {
      await db.query(
        `update pending_changes
         set payload = texts.payload, payload_sha256 = encode(sha256(convert_to(texts.payload, 'UTF8')), 'hex'),
             reason = texts.reason, provenance = texts.provenance::json, conflicts = texts.conflicts::json,
             drops = texts.drops::json, decision = texts.decision::json
         from ${draftTexts}
         where pending_changes.id = texts.id and space_id = $1 and entity_id = $2`,
        [space_id, id, ...draftParams(drafts)],
      )
    },

    /** Lines that told agents what became of drafts of the page. */
    async listOutcomeLines({ space_id, id }: PageOfSpace): Promise<string[]> {
      const { rows } = await db.query<{ line: string }>(
        `select distinct line
         from delivered_outcomes
         join pending_changes on pending_changes.id = pending_change_id
         where space_id = $1 and entity_id = $2`,
        [space_id, id],
      )
      return rows.map(({ line }) => line)
    },

    async replaceOutcomeLine({ space_id, id }: PageOfSpace, line: string, by: string): Promise<void> {
      await db.query(
        `update delivered_outcomes
         set line = $4
         from pending_changes
         where pending_changes.id = pending_change_id and space_id = $1 and entity_id = $2 and line = $3`,
        [space_id, id, line, by],
      )
    },

    /**
     * Puts a text in the place of another among the lines of memory that answers list, of a Space or with `null` of all;
     * returns how many answers had it.
     */
    async replaceGivenLine(spaceId: string | null, text: string, by: string): Promise<number> {
      const { rowCount } = await db.query(
        `update messages
         set metadata = replace(metadata::text, $2, $3)::json
         from conversations
         where conversations.id = conversation_id and ($1::uuid is null or space_id = $1)
           and metadata -> 'memory' is not null and strpos(metadata ->> 'memory', $2) > 0`,
        [spaceId, JSON.stringify(text), JSON.stringify(by)],
      )
      return rowCount ?? 0
    },

    /** The bytes that an imported page was made of. */
    async dropOriginal({ space_id, id }: PageOfSpace): Promise<void> {
      await db.query(
        `update pages
         set original = null, original_of = null, read_as = null
         where space_id = $1 and id = $2 and original is not null`,
        [space_id, id],
      )
    },
  }
}

const auditTexts = 'unnest($3::bigint[], $4::text[], $5::text[]) as texts (seq, before, after)'

const auditParams = (rows: readonly AuditTexts[]) => [
  rows.map(({ seq }) => seq),
  rows.map(({ before }) => before),
  rows.map(({ after }) => after),
]

const draftTexts = `unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
           as texts (id, payload, reason, provenance, conflicts, drops, decision)`

const draftParams = (drafts: readonly DraftTexts[]) => [
  drafts.map(({ id }) => id),
  drafts.map(({ payload }) => payload),
  drafts.map(({ reason }) => reason),
  drafts.map(({ provenance }) => provenance),
  drafts.map(({ conflicts }) => conflicts),
  drafts.map(({ drops }) => drops),
  drafts.map(({ decision }) => decision),
]
