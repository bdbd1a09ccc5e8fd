import { beforeAll, describe, expect, test } from 'vitest'
import type { Queryable } from '../../../lib/db/pool.ts'
import { verifyAudit } from '../../../lib/ops/audit/verify.ts'
import { testDb } from '../../helpers/test-db.ts'

const db = await testDb()
const rows = 200
/** Rows that are read in one go: what is wrong may stand at either side of a seam. */
const batch = 50
/** The one page that some of the rows are about. */
const page = '018f0000-0000-7000-8000-000000000001'

// Whoever owns the database can take the triggers away. This is what the log then has to show by itself.
beforeAll(async () => {
  await db.query(
    `insert into audit_log
       (space_id, actor, action, entity_type, entity_id, version, before, after, pending_change_id, undoes, undoes_since)
     select case when n % 3 = 0 then null else gen_random_uuid() end, 'owner', 'update', 'page',
            case when n % 10 = 1 then '${page}'::uuid else gen_random_uuid() end,
            case when n % 5 = 0 then null else n end, case when n % 2 = 0 then null else '{"title":"a"}' end,
            '{"title":"b — ü"}', case when n % 7 = 0 then gen_random_uuid() end,
            case when n % 4 = 0 then n - 2 end, case when n % 8 = 0 then n - 4 end
     from generate_series(1, ${rows}) as n`,
  )
  await db.query('alter table audit_log disable trigger user')
  await db.query('alter table audit_head disable trigger user')
  await db.query('alter table audit_log drop constraint audit_log_undoes_an_earlier_row')
  await db.query('alter table audit_log drop constraint audit_log_undoes_a_run')
  await db.query('alter table audit_log drop constraint audit_log_pkey')
})

/** The owner removes a word from rows of one page: what is recorded is what they hash to now. */
const redaction = async (tx: Queryable, seqs: readonly number[], word = '…') => {
  const texts = `redacted_row(audit_log, before, '{"title":"${word}"}')`
  await tx.query(
    `with one as (select (jsonb_object_agg(seq::text, audit_hash(${texts})))::text as hashes
                  from audit_log where seq = any($1))
     insert into audit_log (seq, actor, action, entity_type, entity_id, after, previous_hash, hash)
     select head.seq + 1, 'owner', 'redact', 'page', $2, '{"rows":' || replace(hashes, ' ', '') || '}', head.hash, ''
     from one, audit_head head`,
    [seqs, page],
  )
  await tx.query(`update audit_log set hash = audit_hash(audit_log) where hash = ''`)
  await tx.query(
    'update audit_head set (seq, hash) = (select seq, hash from audit_log order by seq desc limit 1)',
  )
  await tx.query(`update audit_log set after = '{"title":"${word}"}' where seq = any($1)`, [seqs])
}

/** Tampers, looks, and takes it back. */
async function verdictAfter(tamper: (tx: Queryable) => Promise<unknown>, options = {}) {
  const undo = new Error('undo')
  let verdict: Awaited<ReturnType<typeof verifyAudit>> | undefined
  await db
    .transaction(async (tx) => {
      await tamper(tx)
      verdict = await verifyAudit(tx, { batch, ...options })
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  return verdict
}

const columns = [
  "at = at + interval '1 microsecond'",
  "at = at - interval '4000 years'",
  'space_id = case when space_id is null then gen_random_uuid() else null end',
  "actor = 'agent:scribe'",
  "action = 'delete'",
  "entity_type = 'task'",
  'entity_id = gen_random_uuid()',
  'version = case when version is null then 1 else null end',
  `before = case when before is null then '' else null end`,
  `after = replace(after, 'b', 'B')`,
  'pending_change_id = case when pending_change_id is null then gen_random_uuid() else null end',
  'undoes = coalesce(undoes, 0) + 1',
  'undoes_since = coalesce(undoes_since, 0) + 1',
  'undoes = undoes_since, undoes_since = coalesce(undoes, 1)',
  "previous_hash = repeat('0', 63) || '1'",
  "hash = repeat('0', 63) || '1'",
  'seq = seq + 100000',
  'seq = -seq',
]

test('an untouched log is sound', async () => {
  const verdict = await verifyAudit(db, { batch: 7 })

  expect(verdict).toMatchObject({ sound: true, rows, head: { seq: rows } })
})

test('each of the rows, tampered with in any column, is found and named', async () => {
  const missed: string[] = []

  for (let seq = 1; seq <= rows; seq += 1) {
    const set = columns[seq % columns.length]!
    const verdict = await verdictAfter((tx) => tx.query(`update audit_log set ${set} where seq = $1`, [seq]))
    const named =
      verdict && !verdict.sound && (set === 'seq = -seq' ? verdict.seq === -seq : verdict.seq === seq)
    if (!named) missed.push(`${seq}: ${set} → ${JSON.stringify(verdict)}`)
  }

  expect(missed).toEqual([])
})

test.each(columns)('the first row, the last one and those at a seam with %s', async (set) => {
  for (const seq of [1, batch, batch + 1, rows]) {
    const verdict = await verdictAfter((tx) => tx.query(`update audit_log set ${set} where seq = $1`, [seq]))

    expect([seq, verdict?.sound]).toEqual([seq, false])
  }
})

test('a row whose hash was made to fit is found at the next one, the last one at the head', async () => {
  const forge = (seq: number) => (tx: Queryable) =>
    tx.query(
      `with forged as (select (jsonb_populate_record(audit_log, '{"actor": "nobody"}')).* from audit_log where seq = $1)
       update audit_log
       set actor = 'nobody',
           hash = (select encode(sha256(convert_to(audit_line(row(forged.*)::audit_log), 'UTF8')), 'hex') from forged)
       where seq = $1`,
      [seq],
    )

  expect(await verdictAfter(forge(80))).toMatchObject({ sound: false, seq: 81 })
  expect(await verdictAfter(forge(rows))).toMatchObject({
    sound: false,
    seq: rows,
    why: expect.stringContaining('head'),
  })
})

test.each([
  ['a row that is missing', 'delete from audit_log where seq = 121', 121],
  ['the first row missing', 'delete from audit_log where seq = 1', 1],
  ['a cut tail', 'delete from audit_log where seq > 190', 191],
  ['an emptied log', 'delete from audit_log', 1],
  ['two rows in each other’s place', 'update audit_log set seq = 111 - seq where seq in (55, 56)', 55],
  ['a changed head', "update audit_head set hash = repeat('a', 64)", rows],
  ['a head moved back', 'update audit_head set seq = seq - 5', rows - 4],
  ['a head that is gone', 'delete from audit_head', rows],
  [
    'a row put in by hand',
    `insert into audit_log (seq, actor, action, entity_type, entity_id, previous_hash, hash)
     select seq + 1, 'owner', 'create', 'page', gen_random_uuid(), hash, repeat('b', 64) from audit_head`,
    rows + 1,
  ],
  ['a row twice', 'insert into audit_log select * from audit_log where seq = 77', 78],
])('%s', async (_what, statement, seq) => {
  expect(await verdictAfter((tx) => tx.query(statement))).toMatchObject({ sound: false, seq })
})

test('a log that was cut with its head is found by a head that was noted', async () => {
  const sound = await verifyAudit(db)
  const noted = sound.sound ? sound.head : null
  const cut = async (tx: Queryable) => {
    await tx.query('delete from audit_log where seq > 190')
    await tx.query('update audit_head set seq = 190, hash = (select hash from audit_log where seq = 190)')
  }

  expect(await verdictAfter(cut)).toMatchObject({ sound: true, rows: 190 })
  expect(await verdictAfter(cut, { noted })).toMatchObject({ sound: false, seq: 191 })
  const rewritten = { seq: 5, hash: 'c'.repeat(64) }
  expect(await verifyAudit(db, { noted: rewritten })).toMatchObject({ sound: false, seq: 5 })
})

describe('words that were removed', () => {
  const redacted = [11, 51, 101]

  test('leave a sound log that says of how many rows, once or several times', async () => {
    const once = await verdictAfter((tx) => redaction(tx, redacted))
    const twice = await verdictAfter(async (tx) => {
      await redaction(tx, redacted)
      await redaction(tx, [51, 151], '……')
    })

    expect(once).toMatchObject({ sound: true, rows: rows + 1, redacted: 3 })
    expect(twice).toMatchObject({ sound: true, rows: rows + 2, redacted: 4 })
    expect(await verifyAudit(db)).toMatchObject({ sound: true, redacted: 0 })
  })

  test('cannot be removed unseen: a head from before is still there, and the log is longer', async () => {
    const noted = await verifyAudit(db).then((verdict) => (verdict.sound ? verdict.head : null))

    expect(await verdictAfter((tx) => redaction(tx, redacted), { noted })).toMatchObject({
      sound: true,
      redacted: 3,
      head: { seq: rows + 1 },
    })
  })

  // Without its redaction, the hash of such a row cannot be told from one that was changed with the next.
  test.each(columns.filter((set) => !set.startsWith('seq') && !set.startsWith('hash')))(
    'do not cover a row with %s',
    async (set) => {
      for (const seq of redacted) {
        const verdict = await verdictAfter(async (tx) => {
          await redaction(tx, redacted)
          await tx.query(`update audit_log set ${set.replace("'b', 'B'", "'…', 'Eve'")} where seq = $1`, [
            seq,
          ])
        })

        expect([seq, verdict]).toMatchObject([seq, { sound: false, seq }])
      }
    },
  )

  test.each<[string, string, number]>([
    ['put back', `update audit_log set after = '{"title":"b — ü"}' where seq = 51`, 51],
    ['a hash made to fit', 'update audit_log set hash = audit_hash(audit_log) where seq = 51', 52],
    ['a row that is missing', 'delete from audit_log where seq = 51', 51],
    [
      'a redaction that is missing',
      `delete from audit_log where seq = ${rows + 1};
       update audit_head set (seq, hash) = (select seq, hash from audit_log where seq = ${rows})`,
      11,
    ],
    [
      'a redaction of other rows',
      `update audit_log set after = replace(after, '"51"', '"61"') where seq = ${rows + 1}`,
      51,
    ],
    [
      'a redaction with other hashes',
      `update audit_log set after = translate(after, 'a', 'b') where seq = ${rows + 1}`,
      11,
    ],
    [
      'a redaction that is no JSON',
      `update audit_log set after = after || '}{' where seq = ${rows + 1}`,
      rows + 1,
    ],
    [
      'a redaction of another page',
      `update audit_log set entity_id = gen_random_uuid() where seq = ${rows + 1}`,
      11,
    ],
    ['another row', `update audit_log set after = '{"title":"…"}' where seq = 61`, 61],
  ])('do not hide %s', async (_, statement, seq) => {
    const verdict = await verdictAfter(async (tx) => {
      await redaction(tx, redacted)
      for (const each of statement.split(';\n')) await tx.query(each)
    })

    expect(verdict).toMatchObject({ sound: false, seq })
  })

  test('are not those of another page’s row, of a later row, or of a redaction', async () => {
    const other = await verdictAfter((tx) => redaction(tx, [52]))
    const itself = await verdictAfter(async (tx) => {
      await redaction(tx, redacted)
      await redaction(tx, [rows + 1])
    })
    const forged = await verdictAfter(async (tx) => {
      await redaction(tx, redacted)
      await redaction(tx, [])
      await tx.query(`update audit_log set after = '{"title":"x"}' where seq = 61`)
      await tx.query(
        `update audit_log
         set after = (select '{"rows":{"61":"' || audit_hash(old) || '"}}' from audit_log old where seq = 61)
         where seq = ${rows + 2}`,
      )
    })

    expect(other).toMatchObject({ sound: false, seq: 52 })
    expect(itself).toMatchObject({ sound: false, seq: 11 })
    expect(forged).toMatchObject({ sound: false, seq: rows + 2 })
  })
})
