import { beforeAll, expect, test } from 'vitest'
import type { Queryable } from '../../lib/db/pool.ts'
import { readTogether } from '../../lib/db/read-together.ts'
import { testDb } from '../helpers/test-db.ts'

const database = await testDb()
let statements: string[] = []
const counted: Queryable = {
  query(text, values) {
    statements.push(text)
    return database.query(text, values)
  },
}

/** One of each type that a row of a turn has. */
const everyType = `select $1::text as words, $2::integer as number, 9007199254740991::bigint as count, 0.25::float8 as share,
  true as yes, null::text as nothing, '{"a":[1]}'::json as held, '{"b":2}'::jsonb as kept, array['x','y "z"'] as list,
  '01900000-0000-7000-8000-000000000000'::uuid as id, date '2026-11-26' as due_on,
  timestamptz '2026-11-26 05:06:07.123456+02' as made_at, null::timestamptz as ended_at`

beforeAll(() => {
  statements = []
})

test('reads asked for at once are one statement, and each gets its own rows as if it had been asked alone', async () => {
  const values = ['it’s "quoted" \\ $1 \n', 7]
  const alone = await database.query(everyType, values)

  const [typed, none, many] = await readTogether(counted, (reads) =>
    Promise.all([
      reads.query(everyType, values),
      reads.query('select 1 as one where $1 = 2', [1]),
      reads.query(
        'select n as place, $2::text as text from generate_series(1, $1::integer) as n order by n desc',
        [12, 'last'],
      ),
    ]),
  )

  expect(statements).toHaveLength(1)
  expect(typed.rows).toEqual(alone.rows)
  expect(typed.rowCount).toBe(1)
  expect([none.rows, none.rowCount]).toEqual([[], 0])
  expect(many.rows.map(({ place }) => place)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  expect(many.rows[0]).toEqual({ place: 12, text: 'last' })
})

test('what is asked for later goes by itself', async () => {
  statements = []

  const later = await readTogether(counted, async (reads) => {
    await reads.query('select 1 as one')
    return await reads.query(
      'insert into migrations (name, run_on) select $1, now() where false returning name',
      ['x'],
    )
  })

  expect(statements).toHaveLength(2)
  expect(later.rows).toEqual([])
})

test('one that fails fails all that were asked for with it', async () => {
  const settled = await readTogether(counted, (reads) =>
    Promise.allSettled([reads.query('select 1 as one'), reads.query('select 1 / $1::integer as none', [0])]),
  )

  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect((await readTogether(database, (reads) => reads.query('select 1 as one'))).rows).toEqual([{ one: 1 }])
})

test('nothing asked for is no statement', async () => {
  statements = []
  expect(await readTogether(counted, () => 'nothing')).toBe('nothing')
  expect(statements).toEqual([])
})

test('a column is named …_at where it is a time with its zone, and nowhere else', async () => {
  const { rows } = await database.query<{ name: string }>(
    `select table_name || '.' || column_name as name
     from information_schema.columns
     where table_schema = 'public' and column_name like '%\\_at' and data_type <> 'timestamp with time zone'`,
  )
  expect(rows).toEqual([])
})
