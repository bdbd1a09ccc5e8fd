import { expect, test } from 'vitest'
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

  expect(sent[0]!.body).toEqual({ status: 'done', version: 3 })
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

  expect(sent[1]!.body).toEqual({ title: 'Paint it green', version: 4 })
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
  sent[0]!.refuse('stale')
  await first

  writes.change({ ...rail, version: 9 }, { status: 'done' })
  await settled()

  expect(sent[1]!.body).toEqual({ status: 'done', version: 9 })
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
