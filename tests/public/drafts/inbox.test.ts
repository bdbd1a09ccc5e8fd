import { expect, test } from 'vitest'
import type { CardLine } from '../../../lib/contract/changes/card.ts'
import { isPlain } from '../../../public/drafts/card/draft/card-state.ts'
import { batchText, runBatch, unitsOf } from '../../../public/drafts/inbox/batch.ts'
import {
  afterDecided,
  groupLines,
  inboxHref,
  loadInbox,
  moreHref,
  parseInboxQuery,
  placeOf,
  runOf,
} from '../../../public/drafts/inbox/inbox-data.ts'

const line = (id: string, more: Partial<CardLine> = {}): CardLine => ({
  pending_change_id: id,
  changeset_id: 'one',
  operation: 'update',
  entity_type: 'task',
  entity_id: `entity of ${id}`,
  title: id,
  space: { id: 's', name: 'Skerry Light' },
  summary: `Change ${id}`,
  payload_sha256: `hash of ${id}`,
  status: 'pending',
  stale: null,
  derivation: 'proposed',
  supersedes: null,
  superseded_by: null,
  undone: null,
  agent: { id: 'a', slug: 'scribe', name: 'Scribe', color: null },
  routine: null,
  created_at: '2031-04-01T08:00:00Z',
  decided: null,
  ...more,
})

const ids = (lines: readonly CardLine[]) => lines.map(({ pending_change_id }) => pending_change_id)

test('there is one group for each agent and hour, and in it one changeset after the other', () => {
  const at = (time: string) => ({ created_at: `2031-04-01T${time}Z` })
  const other = { id: 'b', slug: 'pilot', name: 'Pilot', color: null }
  const groups = groupLines([
    line('7', { ...at('09:30:00'), changeset_id: 'three' }),
    line('6', { ...at('09:20:00'), changeset_id: 'four', agent: other }),
    line('5', { ...at('09:10:00'), changeset_id: 'two' }),
    line('4', { ...at('09:05:00'), changeset_id: 'three' }),
    line('3', { ...at('08:59:00'), changeset_id: 'one' }),
    line('2', { ...at('08:59:00'), changeset_id: 'one' }),
  ])

  expect(groups.map(({ lines }) => ids(lines))).toEqual([['4', '7', '5'], ['6'], ['2', '3']])
})

test('each run of a routine is a group, named after it', () => {
  const routine = { id: 'r', name: 'Weekly review' }
  const groups = groupLines([
    line('6', { changeset_id: 'second run', routine }),
    line('5'),
    line('4', { changeset_id: 'first run', routine }),
    line('3', { changeset_id: 'first run', routine }),
  ])

  expect(groups.map(({ lines }) => ids(lines))).toEqual([['6'], ['5'], ['3', '4']])
  expect(groups.map(runOf)).toEqual([
    { name: 'Weekly review', count: '1 draft' },
    null,
    { name: 'Weekly review', count: '2 drafts' },
  ])
})

test('a changeset that took longer than an hour is not parted', () => {
  const [group, ...others] = groupLines([
    line('2', { created_at: '2031-04-01T10:10:00Z' }),
    line('1', { created_at: '2031-04-01T08:50:00Z' }),
  ])

  expect(others).toEqual([])
  expect(ids(group!.lines)).toEqual(['1', '2'])
})

test('what is left of a draft stands where the draft stood', () => {
  const [group] = groupLines([line('9', { supersedes: '2', derivation: 'rest' }), line('3'), line('1')])

  expect(ids(group!.lines)).toEqual(['1', '9', '3'])
})

test('what is out of date or takes something away is never approved with others', () => {
  const lines = [
    line('5', { operation: 'call' }),
    line('4', { operation: 'delete' }),
    line('3', { stale: { base_version: 1, current_version: 2 } }),
    line('2', { status: 'approved' }),
    line('1'),
  ]

  expect(ids(lines.filter(isPlain))).toEqual(['1'])
})

test('after a decision the next one is up, and after the last the one before it', () => {
  const ids = ['a', 'b', 'c', 'd']

  expect(afterDecided(ids, new Set(['b']))).toBe('c')
  expect(afterDecided(ids, new Set(['d']))).toBe('c')
  expect(afterDecided(ids, new Set(['a', 'd']))).toBe('c')
  expect(afterDecided(['a'], new Set(['a']))).toBeNull()
  expect(placeOf(ids, 'c')).toEqual({ index: 2, previous: 'b', next: 'd' })
})

test('each changeset is decided by itself: one that is refused keeps no other from being decided', async () => {
  const asked: string[][] = []
  const units = unitsOf([
    line('1'),
    line('2', { changeset_id: 'two' }),
    line('3', { changeset_id: 'three' }),
    line('4', { changeset_id: 'two' }),
  ])
  const batch = await runBatch(units, {
    verb: 'Approving',
    async decide(lines) {
      asked.push(ids(lines))
      return lines.length > 1 ? { done: false, message: 'It has moved on.' } : { done: true }
    },
    onProgress: () => {},
    signal: new AbortController().signal,
  })

  expect(asked).toEqual([['1'], ['2', '4'], ['3']])
  expect(batch).toMatchObject({ state: 'done', done: 2 })
  expect(batchText(batch)).toBe('2 of 4 approved; the rest are still pending. It has moved on.')
})

test('reasons that are many are counted, and each is said once', async () => {
  const units = unitsOf(['1', '2', '3', '4', '5', '6'].map((id) => line(id, { changeset_id: id })))
  const batch = await runBatch(units, {
    verb: 'Rejecting',
    decide: async ([first]) => ({
      done: false,
      message: Number(first!.pending_change_id) < 3 ? 'Same.' : `Other ${first!.pending_change_id}.`,
    }),
    onProgress: () => {},
    signal: new AbortController().signal,
  })

  expect(batchText(batch)).toBe(
    '0 of 6 rejected; the rest are still pending. Same. Other 3. Other 4. 2 more could not be rejected.',
  )
})

test('a batch that is stopped leaves the rest as it is', async () => {
  const controller = new AbortController()
  const batch = await runBatch([[line('1')], [line('2')]], {
    verb: 'Rejecting',
    async decide() {
      controller.abort()
      return { done: true }
    },
    onProgress: () => {},
    signal: controller.signal,
  })

  expect(batchText(batch)).toBe('Stopped. 1 of 2 rejected; the rest is still pending.')
})

test('the address of the Inbox says what is shown, and is read back', () => {
  const query = {
    tab: 'decided',
    space: 'skerry-light',
    agent: null,
    kind: 'task',
    state: 'rejected',
    maxLines: null,
  } as const

  const href = inboxHref(query, 'x/y')

  expect(href).toBe('/inbox/x%2Fy?tab=decided&space=skerry-light&kind=task&state=rejected')
  expect(parseInboxQuery(new URL(href, 'http://void.invalid'))).toEqual(query)
})

test('more of the list is a hundred more in its address', () => {
  const at = (href: string) => parseInboxQuery(new URL(href, 'http://void.invalid'))
  const first = at('/inbox?space=skerry-light')

  expect(moreHref(first)).toBe('/inbox?space=skerry-light&shown=200')
  expect(moreHref(at(moreHref(first)))).toBe('/inbox?space=skerry-light&shown=300')
  expect(at('/inbox?shown=many').maxLines).toBe(null)
})

test('lines are read page after page until as many are there as are shown', async () => {
  const asked: string[] = []
  const lines = Array.from({ length: 450 }, (_, n) => line(`draft-${n}`))
  const api = {
    async get<Answer>(path: string): Promise<Answer> {
      const { pathname, searchParams } = new URL(path, 'http://void.invalid')
      if (pathname !== '/api/inbox/lines') return { items: [], next_cursor: null, card: null } as Answer
      asked.push(path)
      const from = Number(searchParams.get('cursor') ?? 0)
      const to = from + Number(searchParams.get('limit'))
      return { items: lines.slice(from, to), next_cursor: to < lines.length ? String(to) : null } as Answer
    },
  }
  const load = (address: string) =>
    loadInbox({ api, url: new URL(address, 'http://void.invalid'), params: {}, space: null, now: new Date() })

  const first = await load('/inbox')
  const most = await load('/inbox?shown=300')
  const all = await load('/inbox?shown=500')

  expect([first.ids.length, most.ids.length, all.ids.length]).toEqual([100, 300, 450])
  expect([first.more, most.more, all.more]).toEqual([true, true, false])
  expect(asked).toHaveLength(1 + 3 + 5)
})
