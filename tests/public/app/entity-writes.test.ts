import { expect, test } from 'vitest'
import { ApiError } from '../../../public/app/api/api.ts'
import { createWrites } from '../../../public/app/api/entity-writes.ts'

type Row = { id: string; version: number; status: string; title: string }
type Sent = { body: Partial<Row>; answer: (row: Row) => void; refuse: (error: unknown) => void }

const rail: Row = { id: 'rail', version: 3, status: 'open', title: 'Paint the gallery rail' }

function setUp() {
  const sent: Sent[] = []
  const shown: string[] = []
  const failures: { error: unknown; before: Row }[] = []
  let idle = 0
  const writes = createWrites<Row>({
    api: {
      patch: <Answer>(_path: string, body: unknown) =>
        new Promise<Answer>((resolve, reject) => {
          sent.push({
            body: body as Partial<Row>,
            answer: (row) => resolve(row as Answer),
            refuse: reject,
          })
        }),
    },
    path: (id) => `/api/tasks/${id}`,
    show: ({ status, title, version }) => shown.push(`${status} ${title} v${version}`),
    onFailure: (failure) => failures.push(failure),
    onIdle: () => {
      idle += 1
    },
  })
  return { writes, sent, shown, failures, idleCount: () => idle }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a change shows before it is sent, and as the server has it afterwards', async () => {
  const { writes, sent, shown } = setUp()

  const done = writes.change(rail, { status: 'done' })
  expect(shown).toEqual(['done Paint the gallery rail v3'])
  await settled()
  sent[0]!.answer({ ...rail, status: 'done', version: 4 })
  await done

  expect(sent[0]!.body).toMatchObject({ status: 'done', version: 3 })
  expect(shown.at(-1)).toBe('done Paint the gallery rail v4')
})

test('changes of one thing go one after the other, each on the version of the one before', async () => {
  const { writes, sent, shown, idleCount } = setUp()

  writes.change(rail, { status: 'done' })
  const done = writes.change(rail, { title: 'Paint it green' })
  await settled()
  expect(sent).toHaveLength(1)
  sent[0]!.answer({ ...rail, status: 'done', version: 4 })
  await settled()
  sent[1]!.answer({ ...rail, status: 'done', title: 'Paint it green', version: 5 })
  await done

  expect(sent[1]!.body).toMatchObject({ title: 'Paint it green', version: 4 })
  // The first answer must not take back what is shown of the second.
  expect(shown).toEqual([
    'done Paint the gallery rail v3',
    'done Paint it green v3',
    'done Paint it green v5',
  ])
  expect([writes.busy(), idleCount()]).toEqual([false, 1])
})

test('a refusal tells what to go back to, and drops what was built on it', async () => {
  const { writes, sent, failures } = setUp()

  writes.change(rail, { status: 'done' })
  const done = writes.change(rail, { title: 'Paint it green' })
  await settled()
  sent[0]!.refuse('stale')
  await done

  expect(failures).toMatchObject([{ error: 'stale', before: rail }])
  expect(sent).toHaveLength(1)
})

test('a change after a refusal starts anew from the row it is given', async () => {
  const { writes, sent } = setUp()
  const first = writes.change(rail, { status: 'done' })
  await settled()
  sent[0]!.refuse(new ApiError(409, 'stale_version', 'changed', { current: { ...rail, version: 9 } }))
  await first

  writes.change({ ...rail, version: 9 }, { status: 'done' })
  await settled()

  expect(sent[1]!.body).toMatchObject({ status: 'done', version: 9 })
})

test('what follows on the changes of a row waits for the last of them, and of no other row', async () => {
  const { writes, sent, shown } = setUp()
  const other = { ...rail, id: 'lamp' }
  writes.change(rail, { status: 'done' })
  writes.change(rail, { title: 'Paint it' })
  writes.change(other, { status: 'done' })
  let done = false

  const waited = writes.settled('rail').then(() => (done = true))
  await writes.settled('steps')
  sent[0]!.answer({ ...rail, version: 4, status: 'done' })
  await settled()
  expect(done).toBe(false)
  sent.find(({ body }) => body.title)!.answer({ ...rail, version: 5, status: 'done', title: 'Paint it' })
  await waited

  expect(shown.at(-1)).toBe('done Paint it v5')
})

// One's own change is no change from elsewhere.

const lost = new ApiError(0, 'unreachable', 'lost')

/** A change of the rail whose answer was lost; the server has the rail at version 4. */
async function loseAnswer(fields: Partial<Row>) {
  const world = setUp()
  const first = world.writes.change(rail, fields)
  await settled()
  world.sent[0]!.refuse(lost)
  await first
  const { save_id } = world.sent[0]!.body as { save_id?: string }
  const refuse = (index: number, current: Row, saved: object | null) =>
    world.sent[index]!.refuse(
      new ApiError(409, 'stale_version', 'changed', { current, ...(saved ? { saved } : {}) }),
    )
  return { ...world, save_id, refuse }
}

test('a change that is tried again after its answer was lost is not made twice', async () => {
  const { writes, sent, shown, failures, save_id, refuse } = await loseAnswer({ status: 'done' })

  const again = writes.change(rail, { status: 'done' })
  await settled()
  // The rail is painted every week, so what was marked done is open again.
  refuse(1, { ...rail, version: 4 }, { version: 4, fields: { due_on: '2030-01-08' } })
  await again

  expect(sent.map(({ body }) => body)).toEqual([
    { status: 'done', version: 3, save_id },
    { status: 'done', version: 3, save_id },
  ])
  expect(shown.at(-1)).toBe('open Paint the gallery rail v4')
  expect(failures).toHaveLength(1)
})

test('another change goes on from the one whose answer was lost', async () => {
  const { writes, sent, failures, refuse } = await loseAnswer({ status: 'done' })

  const other = writes.change(rail, { title: 'Paint it green' })
  await settled()
  refuse(1, { ...rail, status: 'done', version: 4 }, { version: 4, fields: { status: 'done' } })
  await settled()
  sent[2]!.answer({ ...rail, status: 'done', title: 'Paint it green', version: 5 })
  await other

  expect(sent[2]!.body).toMatchObject({ title: 'Paint it green', version: 4 })
  expect(failures).toHaveLength(1)
})

test('a change from elsewhere after a lost one is not written over', async () => {
  const { writes, sent, failures, refuse } = await loseAnswer({ title: 'Paint it green' })

  const other = writes.change(rail, { title: 'Paint it red' })
  await settled()
  const current = { ...rail, title: 'Leave it', version: 5 }
  refuse(1, current, { version: 4, fields: { title: 'Paint it green' } })
  await other

  expect(sent).toHaveLength(2)
  expect(failures).toHaveLength(2)
})
