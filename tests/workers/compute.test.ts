import { expect, test } from 'vitest'
import type { Queryable } from '../../lib/db/pool.ts'
import { createCompute } from '../../lib/workers/compute.ts'
import { maxMainThread, textTask } from '../../lib/workers/text-threads.ts'
import { createHeldThreads } from '../helpers/held-threads.ts'
import { testDb } from '../helpers/test-db.ts'

const plain = await testDb()
await plain.query('create table notes (id int primary key, text text not null)')
const held = createHeldThreads()
const { database, compute } = createCompute(plain, held.threads)

const lengthTask = textTask(new URL(import.meta.url), function lengthOf(text: string) {
  return text.length
})
const large = (letter: string) => letter.repeat(maxMainThread + 1)

const insert = (tx: Queryable, id: number) =>
  tx.query('insert into notes (id, text) values ($1, $2)', [id, 'new'])
const idsOf = async () =>
  (await plain.query<{ id: number }>('select id from notes order by id')).rows.map(({ id }) => id)

test('a small text is computed within the transaction', async () => {
  let runs = 0

  const length = await database.transaction(async (tx) => {
    runs++
    return await compute(tx, lengthTask, 'small')
  })

  expect({ length, runs }).toEqual({ length: 5, runs: 1 })
})

test('while a large text is computed, nothing of the transaction is held, and then it runs again', async () => {
  let runs = 0
  held.hold()

  const answer = database.transaction(async (tx) => {
    runs++
    await insert(tx, 1)
    return { length: await compute(tx, lengthTask, large('a')) }
  })
  await held.asked()
  await insert(plain, 2)
  const meanwhile = await idsOf()
  held.release()

  expect(await answer).toEqual({ length: null })
  expect({ meanwhile, runs, after: await idsOf() }).toEqual({ meanwhile: [2], runs: 2, after: [1, 2] })
})

test('without a transaction a large text is computed at once', async () => {
  expect(await compute(database, lengthTask, large('b'))).toBeNull()
})

test('an error of the transaction is its own', async () => {
  const failing = database.transaction(async (tx) => {
    await compute(tx, lengthTask, large('c'))
    await insert(tx, 2)
  })

  await expect(failing).rejects.toMatchObject({ code: '23505' })
})

test('a transaction that asks for ever more is refused', async () => {
  let runs = 0
  const endless = database.transaction(async (tx) => {
    runs++
    await compute(tx, lengthTask, `${runs} ${large('d')}`)
  })

  await expect(endless).rejects.toMatchObject({ status: 409, code: 'texts_changed' })
})
