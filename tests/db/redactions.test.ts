// The one door through which stored texts of the audit log and of drafts may change: what a `redact` row at the head of the
// log records of a memory page. Each test goes through it and tries something else.

import { beforeEach, describe, expect, test } from 'vitest'
import type { Queryable, Tx } from '../../lib/db/pool.ts'
import { createAuditRepo } from '../../lib/db/repos/audit.ts'
import { createRedactionsRepo } from '../../lib/db/repos/redactions.ts'
import { buildApp } from '../helpers/build-app.ts'

const { owner, deps } = await buildApp()
const { database } = deps
const words = 'the boat is called Tern'
let page: { id: string; space_id: string }
let plain: { id: string; space_id: string }
let draft = ''
let other = ''

beforeEach(async () => {
  const space = (await owner.post('/api/spaces').send({ name: 'Skerry Light' })).body
  const conversation_id = (await owner.post(`/api/spaces/${space.id}/conversations`)).body.id
  const { text } = await owner
    .post(`/api/spaces/${space.id}/companion/turn`)
    .send({ text: `Remember that ${words}.`, conversation_id })
  draft = JSON.parse(/event: done\ndata: (.+)/.exec(text)![1]!).draft_ids[0]
  await owner.post(`/api/pending-changes/${draft}/approve`).send({}).expect(200)
  const { id } = (await owner.get(`/api/spaces/${space.id}/memory`)).body
  page = { id, space_id: space.id }
  const boats = await owner.post(`/api/spaces/${space.id}/pages`).send({ title: 'Boats', body: words })
  plain = { id: boats.body.id, space_id: space.id }
  other = (await owner.post('/api/spaces').send({ name: 'Other' })).body.id
})

type Row = { seq: number; before: string | null; after: string | null }

const rowsOf = async (db: Queryable, of: typeof page): Promise<Row[]> =>
  await createRedactionsRepo(db).listAudit(of, 0, 100)
const without = ({ seq, before, after }: Row): Row => ({
  seq,
  before: before?.replaceAll(words, '…') ?? null,
  after: after?.replaceAll(words, '…') ?? null,
})

/** As a purge records it: in a row of the log of this entity. */
const record = async (tx: Tx, of: typeof page, after: Record<string, unknown>, more: object = {}) =>
  await createAuditRepo(tx).append({
    space_id: of.space_id,
    actor: 'owner',
    action: 'redact',
    entity_type: 'page',
    entity_id: of.id,
    version: null,
    before: null,
    after,
    pending_change_id: null,
    ...more,
  })

/** Does it and takes it back, so that no test changes the log of another. */
async function attempt(work: (tx: Tx, row: Row) => Promise<unknown>): Promise<void> {
  const [row] = await rowsOf(database, page)
  const undo = new Error('undo')
  await database
    .transaction(async (tx) => {
      await work(tx, row!)
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
}

const hash = async (tx: Tx, of: typeof page, row: Row) => await createRedactionsRepo(tx).hashAudit(of, [row])
const redact = async (tx: Tx, of: typeof page, row: Row) =>
  await createRedactionsRepo(tx).redactAudit(of, [row])

describe('a row of the audit log', () => {
  test('becomes what the head records of it', async () => {
    await attempt(async (tx, row) => {
      await record(tx, page, { rows: await hash(tx, page, without(row)) })
      await redact(tx, page, without(row))
      const [now] = await createRedactionsRepo(tx).listAudit(page, 0, 1)
      expect(now).toEqual(without(row))
    })
  })

  test.each<[string, (tx: Tx, row: Row) => Promise<unknown>]>([
    ['without any record', (tx, row) => redact(tx, page, without(row))],
    [
      'other words than those recorded',
      async (tx, row) => {
        await record(tx, page, { rows: await hash(tx, page, without(row)) })
        await redact(tx, page, { ...without(row), after: '{"body":"- the owner pays Eve Moss"}' })
      },
    ],
    [
      'other words once it is redacted',
      async (tx, row) => {
        await record(tx, page, { rows: await hash(tx, page, without(row)) })
        await redact(tx, page, without(row))
        await redact(tx, page, row)
      },
    ],
    [
      'another column along with them',
      async (tx, row) => {
        const { after } = without(row)
        await record(tx, page, { rows: await hash(tx, page, without(row)) })
        await tx.query("update audit_log set after = $2, actor = 'agent:eve' where seq = $1", [
          row.seq,
          after,
        ])
      },
    ],
    [
      'another column, recorded as if it were the words',
      async (tx, row) => {
        const { rows } = await tx.query<{ hash: string }>(
          `select audit_hash(jsonb_populate_record(audit_log, '{"actor": "agent:eve"}')) as hash
           from audit_log where seq = $1`,
          [row.seq],
        )
        await record(tx, page, { rows: { [row.seq]: rows[0]!.hash } })
        await tx.query("update audit_log set actor = 'agent:eve' where seq = $1", [row.seq])
      },
    ],
    [
      'its hash',
      async (tx, row) => {
        await record(tx, page, { rows: await hash(tx, page, without(row)) })
        await tx.query('update audit_log set hash = audit_hash(audit_log) where seq = $1', [row.seq])
      },
    ],
    [
      'the id of its save',
      async (tx, row) => {
        const { after } = without(row)
        await record(tx, page, { rows: await hash(tx, page, without(row)) })
        await tx.query("update audit_log set after = $2, save_id = 'x' where seq = $1", [row.seq, after])
      },
    ],
    [
      'nothing in the place of its words',
      async (tx, row) => {
        const gone = { ...row, after: null }
        await record(tx, page, { rows: await hash(tx, page, gone) })
        await redact(tx, page, gone)
      },
    ],
    [
      'after another row came behind the record',
      async (tx, row) => {
        await record(tx, page, { rows: await hash(tx, page, without(row)) })
        await record(tx, page, { rows: {} })
        await redact(tx, page, without(row))
      },
    ],
    [
      'by a record of an agent',
      async (tx, row) => {
        await record(tx, page, { rows: await hash(tx, page, without(row)) }, { actor: 'agent:companion' })
        await redact(tx, page, without(row))
      },
    ],
    [
      'by a record of another action',
      async (tx, row) => {
        await record(tx, page, { rows: await hash(tx, page, without(row)) }, { action: 'update' })
        await redact(tx, page, without(row))
      },
    ],
    [
      'by a record of another Space',
      async (tx, row) => {
        const elsewhere = { space_id: other }
        await record(tx, page, { rows: await hash(tx, page, without(row)) }, elsewhere)
        await redact(tx, page, without(row))
      },
    ],
    [
      'of another page',
      async (tx) => {
        const [row] = await rowsOf(tx, plain)
        await record(tx, plain, { rows: await hash(tx, plain, without(row!)) })
        await redact(tx, plain, without(row!))
      },
    ],
    [
      'of another page, recorded as of this one',
      async (tx) => {
        const [row] = await rowsOf(tx, plain)
        await record(tx, page, { rows: await hash(tx, plain, without(row!)) })
        await redact(tx, plain, without(row!))
      },
    ],
    [
      'that is such a record itself',
      async (tx, row) => {
        await record(tx, page, { rows: await hash(tx, page, without(row)) })
        const head = await tx.query<{ seq: number }>('select seq from audit_head')
        const seq = head.rows[0]!.seq
        const emptied = { seq, before: null, after: '{}' }
        await record(tx, page, { rows: await hash(tx, page, emptied) })
        await redact(tx, page, emptied)
      },
    ],
    [
      'that is deleted',
      async (tx, row) => {
        await record(tx, page, { rows: await hash(tx, page, without(row)) })
        await tx.query('delete from audit_log where seq = $1', [row.seq])
      },
    ],
    [
      'that is truncated away',
      async (tx, row) => {
        await record(tx, page, { rows: await hash(tx, page, without(row)) })
        await tx.query('truncate audit_log')
      },
    ],
  ])('is not changed %s', async (_, work) => {
    await expect(attempt(work)).rejects.toThrow(/append-only/)
  })
})

describe('a draft', () => {
  const draftsOf = async (tx: Tx, of: typeof page) =>
    (await createRedactionsRepo(tx).listDrafts(of, null, 100)).map(
      ({ status: _, base_version: __, ...texts }) => texts,
    )
  const redacted = async (tx: Tx) => {
    const found = (await draftsOf(tx, page)).find(({ id }) => id === draft)!
    return { ...found, payload: found.payload.replaceAll(words, '…'), reason: '…' }
  }
  const redactDraft = async (tx: Tx, texts: Awaited<ReturnType<typeof redacted>>) =>
    await createRedactionsRepo(tx).redactDrafts(page, [texts])
  const recordDraft = async (tx: Tx, texts: Awaited<ReturnType<typeof redacted>>) =>
    await record(tx, page, { drafts: await createRedactionsRepo(tx).hashDrafts(page, [texts]) })

  test('that was decided becomes what the head records of it', async () => {
    await attempt(async (tx) => {
      const texts = await redacted(tx)
      await recordDraft(tx, texts)
      await redactDraft(tx, texts)
      expect(await draftsOf(tx, page)).toEqual([texts])
    })
  })

  test.each<[string, (tx: Tx) => Promise<unknown>]>([
    ['without any record', async (tx) => redactDraft(tx, await redacted(tx))],
    [
      'other words than those recorded',
      async (tx) => {
        const texts = await redacted(tx)
        await recordDraft(tx, texts)
        await redactDraft(tx, { ...texts, payload: '{"body":"- pays Eve Moss"}' })
      },
    ],
    [
      'where it came from alone',
      async (tx) => {
        await recordDraft(tx, await redacted(tx))
        await tx.query(`update pending_changes set provenance = '{"known": true}' where id = $1`, [draft])
      },
    ],
    [
      'another column along with them',
      async (tx) => {
        const texts = await redacted(tx)
        await recordDraft(tx, texts)
        await tx.query(
          `update pending_changes
           set payload = $2, payload_sha256 = encode(sha256(convert_to($2, 'UTF8')), 'hex'), reason = $3,
               decided_by = 'agent:eve'
           where id = $1`,
          [draft, texts.payload, texts.reason],
        )
      },
    ],
    [
      'while it waits',
      async (tx) => {
        const { rows } = await tx.query<{ id: string }>(
          `insert into pending_changes
             (id, space_id, agent_id, changeset_id, entity_type, entity_id, action, payload, payload_sha256, base_version)
           select gen_random_uuid(), space_id, agent_id, changeset_id, entity_type, entity_id, 'update', payload,
                  payload_sha256, 1
           from pending_changes where id = $1
           returning id`,
          [draft],
        )
        const texts = { ...(await redacted(tx)), id: rows[0]!.id }
        await recordDraft(tx, texts)
        await redactDraft(tx, texts)
      },
    ],
    [
      'of another page',
      async (tx) => {
        const { rows } = await tx.query<{ id: string }>(
          `insert into pending_changes
             (id, space_id, agent_id, changeset_id, entity_type, entity_id, action, payload, payload_sha256, base_version,
              status, decided_at)
           select gen_random_uuid(), space_id, agent_id, changeset_id, entity_type, $2, 'update', payload,
                  payload_sha256, 1, 'rejected', now()
           from pending_changes where id = $1
           returning id`,
          [draft, plain.id],
        )
        const texts = { ...(await redacted(tx)), id: rows[0]!.id }
        await record(tx, page, { drafts: await createRedactionsRepo(tx).hashDrafts(plain, [texts]) })
        await createRedactionsRepo(tx).redactDrafts(plain, [texts])
      },
    ],
  ])('is not changed %s', async (_, work) => {
    await expect(attempt(work)).rejects.toThrow(/never changes/)
  })
})
