import { expect, test } from 'vitest'
import type { CardLine } from '../../../lib/contract/changes/card.ts'
import { batchText, runBatch } from '../../../public/drafts/inbox/batch.ts'
import {
  afterDecided,
  groupLines,
  inboxHref,
  loadInbox,
  moreHref,
  parseInboxQuery,
  placeOf,
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
  created_at: '2031-04-01T08:00:00Z',
  decided: null,
  ...more,
})

test('a changeset stands together in the order it was drafted, the newest changeset first', () => {
  const groups = groupLines([
    line('5', { changeset_id: 'two' }),
    line('4'),
    line('3', { changeset_id: 'two' }),
    line('1'),
  ])

  expect(groups.map(({ lines }) => lines.map(({ pending_change_id }) => pending_change_id))).toEqual([
    ['3', '5'],
    ['1', '4'],
  ])
})

test('what is out of date or takes something away is never approved with others', () => {
  const [group] = groupLines([
    line('4', { operation: 'delete' }),
    line('3', { stale: { base_version: 1, current_version: 2 } }),
    line('2', { status: 'approved' }),
    line('1'),
  ])

  expect(group?.plain.map(({ pending_change_id }) => pending_change_id)).toEqual(['1'])
})

test('after a decision the next one is up, and after the last the one before it', () => {
  const ids = ['a', 'b', 'c', 'd']

  expect(afterDecided(ids, new Set(['b']))).toBe('c')
  expect(afterDecided(ids, new Set(['d']))).toBe('c')
  expect(afterDecided(ids, new Set(['a', 'd']))).toBe('c')
  expect(afterDecided(['a'], new Set(['a']))).toBeNull()
  expect(placeOf(ids, 'c')).toEqual({ index: 2, previous: 'b', next: 'd' })
})

test('several are decided in order, up to the first that is refused', async () => {
  const asked: string[] = []
  const batch = await runBatch([line('1'), line('2'), line('3')], {
    choice: { approve: true },
    async decide({ pending_change_id }) {
      asked.push(pending_change_id)
      if (pending_change_id === '2') return { done: false, message: 'It has moved on.', moved: true }
      return { done: true, change: {} as never }
    },
    onProgress: () => {},
    signal: new AbortController().signal,
  })

  expect(asked).toEqual(['1', '2'])
  expect(batch).toMatchObject({ state: 'failed', done: 1 })
  expect(batchText(batch)).toBe(
    '1 of 3 approved. Could not decide “Change 2”: It has moved on. 1 more was not tried.',
  )
})

test('a batch that is stopped leaves the rest as it is', async () => {
  const controller = new AbortController()
  const batch = await runBatch([line('1'), line('2')], {
    choice: { approve: false, reason: '' },
    async decide() {
      controller.abort()
      return { done: true, change: {} as never }
    },
    onProgress: () => {},
    signal: controller.signal,
  })

  expect(batchText(batch)).toBe('Stopped. 1 of 2 rejected; the rest are still pending.')
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
