import type { ReplyDelivery } from '../../contract/changes/card.ts'
import type { Queryable } from '../pool.ts'

export type ReplyRow = {
  id: string
  space_id: string
  created_at: string
  from_address: string
  to_addresses: string
  cc_addresses: string
  subject: string
  body: string
  quoted: string
  in_reply_to: string
  reference_ids: string
}

/** A Drafts folder as it was before a reply was sent to it. */
export type SentMark = { folder: string; uid_validity: string; uid_next: string; sent_at: string }

export type DueReply = ReplyRow & { failures: number; delivery_created_at: string; mark: SentMark | null }

export type DeliveryEnd = Pick<ReplyDelivery, 'error'> & { state: Exclude<ReplyDelivery['state'], 'waiting'> }

const replyColumns = [
  'id',
  'space_id',
  'created_at',
  'from_address',
  'to_addresses',
  'cc_addresses',
  'subject',
]
  .concat(['body', 'quoted', 'in_reply_to', 'reference_ids'])
  .map((column) => `r.${column}`)
  .join(', ')

const ofLiveSpace = 'exists (select from spaces where spaces.id = r.space_id and spaces.deleted_at is null)'

/** Replies that the owner approved, and where each is. */
export function createRepliesRepo(db: Queryable) {
  return {
    async find(id: string): Promise<ReplyRow | null> {
      const { rows } = await db.query<ReplyRow>(
        `select ${replyColumns} from replies r where r.id = $1 and ${ofLiveSpace}`,
        [id],
      )
      return rows[0] ?? null
    },

    async listDeliveries(ids: readonly string[]): Promise<(ReplyDelivery & { reply_id: string })[]> {
      const { rows } = await db.query<ReplyDelivery & { reply_id: string }>(
        'select reply_id, state, error, folder, ended_at from reply_deliveries where reply_id = any($1::uuid[])',
        [ids],
      )
      return rows
    },

    async isAnyDue(now: Date): Promise<boolean> {
      const { rows } = await db.query(
        `select from reply_deliveries where state = 'waiting' and next_attempt_at <= $1 limit 1`,
        [now],
      )
      return rows.length > 0
    },

    /** The one that has waited longest of those whose time has come. */
    async findDue(now: Date): Promise<DueReply | null> {
      const { rows } = await db.query<DueReply>(
        `select ${replyColumns}, d.failures, d.created_at as delivery_created_at,
           case when d.sent_at is not null then json_build_object(
             'folder', d.folder, 'uid_validity', d.uid_validity, 'uid_next', d.uid_next, 'sent_at', d.sent_at
           ) end as mark
         from reply_deliveries d
         join replies r on r.id = d.reply_id
         where d.state = 'waiting' and d.next_attempt_at <= $1 and ${ofLiveSpace}
         order by d.next_attempt_at, d.reply_id
         limit 1`,
        [now],
      )
      return rows[0] ?? null
    },

    /** Notes the folder as it is before the reply is sent to it; whether the reply still waits. */
    async mark(id: string, { folder, uid_validity, uid_next }: Omit<SentMark, 'sent_at'>, now: Date) {
      const { rows } = await db.query(
        `update reply_deliveries
         set folder = $2, uid_validity = $3, uid_next = $4, sent_at = $5
         where reply_id = $1 and state = 'waiting'
         returning 1`,
        [id, folder, uid_validity, uid_next, now],
      )
      return rows.length > 0
    },

    /** `error` null: as it was. */
    async retryAt(id: string, at: Date, error: string | null): Promise<void> {
      await db.query(
        `update reply_deliveries
         set next_attempt_at = $2, error = coalesce($3, error), failures = failures + 1
         where reply_id = $1 and state = 'waiting'`,
        [id, at, error],
      )
    },

    async end(id: string, { state, error }: DeliveryEnd, now: Date): Promise<void> {
      await db.query(
        `update reply_deliveries
         set state = $2, error = $3, ended_at = $4
         where reply_id = $1 and state = 'waiting'`,
        [id, state, error, now],
      )
    },

    /** Has one tried at once that waits, or anew that ended otherwise than delivered; whether there is such a one. */
    async retry(id: string, now: Date): Promise<boolean> {
      const { rows } = await db.query(
        `update reply_deliveries
         set state = 'waiting', error = null, ended_at = null, failures = 0, next_attempt_at = $2, created_at = $2,
             folder = case when state = 'waiting' then folder end,
             uid_validity = case when state = 'waiting' then uid_validity end,
             uid_next = case when state = 'waiting' then uid_next end,
             sent_at = case when state = 'waiting' then sent_at end
         where reply_id = $1 and state <> 'delivered'
         returning 1`,
        [id, now],
      )
      return rows.length > 0
    },
  }
}
