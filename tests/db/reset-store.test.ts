// What the tests of all other files stand on: that a store which one of them used is as new for the next.

import { expect, inject, test } from 'vitest'
import { startEngine } from '../../lib/db/pglite/engine.ts'
import { openDatabase } from '../../lib/db/pool.ts'
import { buildApp } from '../helpers/build-app.ts'
import { readStore, resetStore } from '../helpers/reset-store.ts'

test('a store that was used is as it was opened, and one whose schema was changed is refused', async () => {
  const engine = await startEngine({ dump: inject('pgliteTemplate') })
  const database = await openDatabase({ engine })
  const opened = await readStore(database)
  const { owner } = await buildApp({ database })
  const { body: space } = await owner.post('/api/spaces').send({ name: 'Skerry Light' }).expect(201)
  await owner.post(`/api/spaces/${space.id}/pages`).send({ title: 'Lamp', body: 'It turns.' }).expect(201)
  await database.query('analyze')
  await database.query("set search_path = 'pg_temp'")
  const used = await readStore(database)

  await resetStore(database, opened)
  const reset = await readStore(database)
  const { rows: statistics } = await database.query('select from pg_statistic')
  await database.query('alter table pages disable trigger all')
  const refused = resetStore(database, opened)

  expect(used.rows.length).toBeGreaterThan(opened.rows.length)
  expect(reset).toEqual(opened)
  expect(statistics).toEqual([])
  await expect(refused).rejects.toThrow('the schema was changed')
  await database.close()
  await engine.close()
})
