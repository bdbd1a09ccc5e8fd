import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../../public/app/api/api.ts'
import type { PageText } from '../../../public/page/data/page-data.ts'
import { createAutosave, type SavedPage, type SaveState } from '../../../public/page/edit/autosave.ts'

const first: SavedPage = {
  title: 'The lamp',
  body: 'It turns.',
  version: 1,
  updated_at: '2030-01-01T00:00:00Z',
  updated_by: 'owner',
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A server with one page, and an editor before it. */
function setUp() {
  const title = { isHeld: false }
  const server = { page: first, failing: null as unknown, sent: [] as Partial<PageText>[] }
  const editor: PageText = { title: first.title, body: first.body }
  const states: SaveState['name'][] = []
  let reads = 0
  const controller = new AbortController()
  const autosave = createAutosave({
    base: first,
    read: () => {
      reads += 1
      return { ...editor }
    },
    async send(fields, version) {
      if (server.failing) throw server.failing
      if (version !== server.page.version)
        throw new ApiError(409, 'stale_version', 'changed', { current: server.page })
      server.sent.push(fields)
      server.page = { ...server.page, ...fields, version: version + 1 }
      return server.page
    },
    onState: ({ name }) => states.push(name),
    onTheirs: (fields) => Object.assign(editor, fields),
    onSaved: () => {},
    holdsTitle: () => title.isHeld,
    signal: controller.signal,
  })
  const type = (fields: Partial<PageText>) => {
    Object.assign(editor, fields)
    autosave.changed()
  }
  const elsewhere = (fields: Partial<PageText>) => {
    server.page = { ...server.page, ...fields, version: server.page.version + 1 }
  }
  return { server, editor, states, autosave, type, elsewhere, title, reads: () => reads }
}

test('what is typed is saved a moment later, once, and only what changed', async () => {
  const { server, states, type } = setUp()

  type({ body: 'It turns o' })
  type({ body: 'It turns on' })
  await vi.advanceTimersByTimeAsync(2000)

  expect(server.sent).toEqual([{ body: 'It turns on' }])
  expect(states).toEqual(['unsaved', 'saving', 'saved'])
})

test('a key reads nothing of the text, which may be long', async () => {
  const { server, type, reads } = setUp()

  for (let keys = 1; keys <= 100; keys += 1) type({ body: 'x'.repeat(keys) })
  expect(reads()).toBe(0)
  await vi.advanceTimersByTimeAsync(2000)

  expect(server.sent).toEqual([{ body: 'x'.repeat(100) }])
})

test('what is typed and taken back is saved, and nothing is sent', async () => {
  const { server, states, type } = setUp()

  type({ body: 'It turns o' })
  type({ body: first.body })
  await vi.advanceTimersByTimeAsync(2000)

  expect(server.sent).toEqual([])
  expect(states).toEqual(['unsaved', 'saved'])
})

test('typing while a save is on its way is saved after it, on the version it made', async () => {
  const { server, type, autosave } = setUp()

  type({ body: 'one' })
  const saving = autosave.flush()
  type({ body: 'two' })
  await saving
  await vi.advanceTimersByTimeAsync(2000)

  expect(server.sent).toEqual([{ body: 'one' }, { body: 'two' }])
  expect(server.page).toMatchObject({ body: 'two', version: 3 })
})

test('a server that is away is tried again until it is back, and nothing is sent twice', async () => {
  const { server, type, autosave } = setUp()
  server.failing = new ApiError(0, 'unreachable', 'away')

  type({ body: 'in a storm' })
  await vi.advanceTimersByTimeAsync(1000)
  const failed = autosave.state()
  server.failing = null
  await vi.advanceTimersByTimeAsync(2500)

  expect(failed).toMatchObject({ name: 'failed', retryMs: 2000 })
  expect(server.sent).toEqual([{ body: 'in a storm' }])
  expect(autosave.state().name).toBe('saved')
})

test.each([
  [413, 'too_large'],
  [400, 'invalid'],
  [401, 'unauthorized'],
])('a %i is not tried again by itself', async (status, code) => {
  const { server, type, autosave } = setUp()
  server.failing = new ApiError(status, code, 'no')

  type({ body: 'x' })
  await vi.advanceTimersByTimeAsync(60_000)

  expect(autosave.state()).toMatchObject({ name: 'failed', retryMs: null })
  expect(server.sent).toEqual([])
})

test('a change elsewhere of another field is taken over, and the own one saved on top', async () => {
  const { server, editor, type, elsewhere } = setUp()
  elsewhere({ title: 'The great lamp' })

  type({ body: 'It turns slowly.' })
  await vi.advanceTimersByTimeAsync(3000)

  expect(server.page).toMatchObject({ title: 'The great lamp', body: 'It turns slowly.', version: 3 })
  expect(editor.title).toBe('The great lamp')
})

test('a change elsewhere of the same field stops the saving until a person has chosen', async () => {
  const { server, type, elsewhere, autosave } = setUp()
  elsewhere({ body: 'Theirs.' })

  type({ body: 'Mine.' })
  await vi.advanceTimersByTimeAsync(3000)
  const stopped = autosave.state()
  type({ body: 'Mine, and more.' })
  await vi.advanceTimersByTimeAsync(3000)
  const untouched = server.page.body
  autosave.rebase(server.page)
  await autosave.flush()

  expect(stopped).toMatchObject({ name: 'conflict', theirs: { body: 'Theirs.' } })
  expect(untouched).toBe('Theirs.')
  expect(server.page).toMatchObject({ body: 'Mine, and more.', version: 3 })
})

test('keeping the own text keeps the new title that came with the other one', async () => {
  const { server, editor, type, elsewhere, autosave } = setUp()
  elsewhere({ title: 'The great lamp', body: 'Theirs.' })

  type({ body: 'Mine.' })
  await vi.advanceTimersByTimeAsync(3000)
  const stopped = autosave.state().name
  autosave.rebase(server.page)
  await autosave.flush()

  expect(stopped).toBe('conflict')
  expect(editor.title).toBe('The great lamp')
  expect(server.page).toMatchObject({ title: 'The great lamp', body: 'Mine.', version: 3 })
})

test('the same change on both sides is none', async () => {
  const { type, elsewhere, autosave } = setUp()
  elsewhere({ body: 'Agreed.' })

  type({ body: 'Agreed.' })
  await vi.advanceTimersByTimeAsync(3000)

  expect(autosave.state().name).toBe('saved')
})

test('a title that is being typed waits until it is left or saved, and the text does not', async () => {
  const { server, autosave, type, title } = setUp()
  title.isHeld = true
  type({ title: 'The l' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(server.sent).toEqual([])

  type({ body: 'It turns on.' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(server.sent).toEqual([{ body: 'It turns on.' }])
  expect(autosave.state().name).toBe('unsaved')

  type({ title: 'The light' })
  title.isHeld = false
  autosave.changed()
  await vi.advanceTimersByTimeAsync(2000)
  expect(server.sent.at(-1)).toEqual({ title: 'The light' })

  title.isHeld = true
  type({ title: 'The lights' })
  await autosave.flush()
  expect(server.sent.at(-1)).toEqual({ title: 'The lights' })
})

test('an empty title waits, and the text is saved meanwhile', async () => {
  const { server, type } = setUp()

  type({ title: ' ', body: 'Text.' })
  await vi.advanceTimersByTimeAsync(2000)

  expect(server.sent).toEqual([{ body: 'Text.' }])
})

test('a page that changes elsewhere while nothing is typed is shown as it is', () => {
  const { editor, autosave } = setUp()

  autosave.reconcile({ ...first, body: 'It stands still.', version: 4 })

  expect(editor.body).toBe('It stands still.')
  expect(autosave.base().version).toBe(4)
})
