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

const lost = new ApiError(0, 'unreachable', 'lost')

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

type Applied = { version: number; fields: Partial<PageText> }

/** A server with one page, and an editor before it. `saveId`: of a save that was left unanswered. */
function setUp(page: Partial<PageText> = {}, saveId: string | null = null) {
  const title = { isHeld: false }
  const start = { ...first, ...page }
  const saves = new Map<string, Applied>()
  const server = { page: start, failing: null as unknown, sent: [] as Partial<PageText>[], saves }
  /** `lose`: how many answers are lost. `afterSave`: what else a save changes, as a version of its own. */
  const writes = { lose: 0, afterSave: (page: SavedPage) => page }
  const editor: PageText = { title: start.title, body: start.body }
  const states: SaveState['name'][] = []
  const theirs: unknown[] = []
  let reads = 0
  const controller = new AbortController()
  const autosave = createAutosave({
    base: start,
    saveId,
    read: () => {
      reads += 1
      return { ...editor }
    },
    async send(fields, version, id) {
      if (server.failing) throw server.failing
      if (version !== server.page.version) {
        const saved = saves.get(id)
        throw new ApiError(409, 'stale_version', 'changed', {
          current: server.page,
          ...(saved ? { saved } : {}),
        })
      }
      server.sent.push(fields)
      const stored = { ...server.page, ...fields, version: version + 1 }
      saves.set(id, { version: version + 1, fields })
      const after = writes.afterSave(stored)
      server.page = after === stored ? stored : { ...after, version: version + 2 }
      if (writes.lose > 0) {
        writes.lose -= 1
        throw lost
      }
      return server.page
    },
    onState: ({ name }) => states.push(name),
    onTheirs: (fields, from) => {
      Object.assign(editor, fields)
      if (from) theirs.push(from)
    },
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
  return { server, editor, states, autosave, type, elsewhere, title, writes, theirs, reads: () => reads }
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

// What the server wrote comes back.

test('links of a page to itself that a rename turned are taken into the editor, and not written back', async () => {
  const { server, editor, type, writes } = setUp({ body: 'See [[The lamp]].\n\nIt turns.\n' })
  writes.afterSave = (page) => ({ ...page, body: page.body.replace('[[The lamp]]', `[[${page.title}]]`) })

  type({ title: 'The light' })
  await vi.advanceTimersByTimeAsync(2000)
  const shown = editor.body
  type({ body: `${editor.body}On and on.\n` })
  await vi.advanceTimersByTimeAsync(2000)

  expect(shown).toBe('See [[The light]].\n\nIt turns.\n')
  expect(server.page.body).toBe('See [[The light]].\n\nIt turns.\nOn and on.\n')
})

test.each([
  ['in another line', 'See [[The lamp]].\n\nIt turns on.\n', 'See [[The light]].\n\nIt turns on.\n'],
  [
    'in the same line',
    'So see [[The lamp]] and more.\n\nIt turns.\n',
    'So see [[The light]] and more.\n\nIt turns.\n',
  ],
])('what was typed %s while a rename was on its way stays', async (_where, typed, merged) => {
  const { server, autosave, type, states, writes } = setUp({ body: 'See [[The lamp]].\n\nIt turns.\n' })
  writes.afterSave = (page) => ({ ...page, body: page.body.replace('[[The lamp]]', `[[${page.title}]]`) })

  type({ title: 'The light' })
  const saving = autosave.flush()
  type({ body: typed })
  await saving
  await vi.advanceTimersByTimeAsync(2000)

  expect(server.page).toMatchObject({ title: 'The light', body: merged })
  expect(states).not.toContain('conflict')
})

test('white space that the server normalizes is not written into the editor', async () => {
  const { editor, type, writes, autosave } = setUp()
  writes.afterSave = (page) => ({ ...page, title: page.title.trim() })

  type({ title: 'The light ' })
  await vi.advanceTimersByTimeAsync(2000)

  expect(editor.title).toBe('The light ')
  expect(autosave.state().name).toBe('saved')
})

// One's own save is no change from elsewhere.

test('a lost answer and further typing is no conflict', async () => {
  const { server, type, states, writes, theirs } = setUp()
  writes.lose = 1

  type({ body: 'It turns on' })
  await vi.advanceTimersByTimeAsync(1000)
  type({ body: 'It turns on and on' })
  await vi.advanceTimersByTimeAsync(5000)

  expect(server.page).toMatchObject({ body: 'It turns on and on', version: 3 })
  expect([states.includes('conflict'), states.at(-1), theirs]).toEqual([false, 'saved', []])
})

test('the event of a save whose answer was lost is no change from elsewhere', async () => {
  const { server, type, autosave, states, writes } = setUp()
  writes.lose = 1
  type({ body: 'It turns on' })
  await vi.advanceTimersByTimeAsync(1000)
  type({ body: 'It turns on and on' })

  autosave.reconcile(server.page)
  await vi.advanceTimersByTimeAsync(5000)

  expect(server.page).toMatchObject({ body: 'It turns on and on', version: 3 })
  expect(states).not.toContain('conflict')
})

test('what was taken back after a lost answer is taken back on the server', async () => {
  const { server, editor, type, autosave, writes } = setUp()
  writes.lose = 1
  type({ body: 'It turns on' })
  await vi.advanceTimersByTimeAsync(1000)

  type({ body: first.body })
  await vi.advanceTimersByTimeAsync(5000)

  expect([editor.body, server.page.body]).toEqual([first.body, first.body])
  expect(autosave.state().name).toBe('saved')
})

test('a lost answer and a change elsewhere of the same words is a conflict, from the saved text on', async () => {
  const { server, type, autosave, elsewhere, writes } = setUp()
  writes.lose = 1
  type({ body: 'It turns on' })
  await vi.advanceTimersByTimeAsync(1000)
  elsewhere({ body: 'It turns off' })

  type({ body: 'It turns slowly' })
  await vi.advanceTimersByTimeAsync(5000)

  expect(autosave.state()).toMatchObject({ name: 'conflict', theirs: { body: 'It turns off' } })
  expect(autosave.base().body).toBe('It turns on')
  expect(server.page.body).toBe('It turns off')
})

test('a text that was left with its save unanswered goes on from that save', async () => {
  const { server, editor, states, autosave } = setUp({ body: 'It turns.' }, 'left')
  server.page = { ...server.page, body: 'It turns on', version: 2 }
  server.saves.set('left', { version: 2, fields: { body: 'It turns on' } })
  editor.body = 'It turns on and on'

  await autosave.flush()
  await vi.advanceTimersByTimeAsync(2000)

  expect(server.page).toMatchObject({ body: 'It turns on and on', version: 3 })
  expect(states).not.toContain('conflict')
})
