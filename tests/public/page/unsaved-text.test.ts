import { afterEach, expect, test, vi } from 'vitest'
import { loadUnsaved, openUnsaved } from '../../../public/page/unsaved/unsaved-text.ts'

const text = {
  title: 'Wash the panes',
  body: 'Both sides',
  version: 1,
  base: null,
  at: '2026-03-02T09:00:00Z',
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function stubStorage(): void {
  const items = new Map<string, string>()
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    removeItem: (key: string) => items.delete(key),
  }
  // The names of what is stored are the object's own keys.
  vi.stubGlobal(
    'localStorage',
    Object.defineProperty({ ...storage } as Record<string, unknown>, 'setItem', {
      value(this: Record<string, unknown>, key: string, value: string) {
        items.set(key, value)
        this[key] = value
      },
    }),
  )
}

test('a document that was reloaded loads the text of the one before, which ends late', async () => {
  stubStorage()
  reload()
  const tab = new AbortController()
  openUnsaved('a', tab.signal).write(text)
  await vi.waitFor(async () => expect((await navigator.locks.query()).held).toHaveLength(1))

  const loaded = loadUnsaved('a')
  setTimeout(() => tab.abort(), 50)

  expect((await loaded).map((copy) => copy.text.body)).toEqual(['Both sides'])
})

test.each([true, false])(
  'a text that is open in another tab is left to it (reloaded: %s)',
  async (reloaded) => {
    stubStorage()
    if (reloaded) reload()
    const tab = new AbortController()
    openUnsaved('b', tab.signal).write(text)
    await vi.waitFor(async () => expect((await navigator.locks.query()).held).toHaveLength(1))

    expect(await loadUnsaved('b')).toEqual([])
    tab.abort()
  },
)

test('a document that was not reloaded does not wait for a tab that reloads', async () => {
  stubStorage()
  const tab = new AbortController()
  openUnsaved('c', tab.signal).write(text)
  await vi.waitFor(async () => expect((await navigator.locks.query()).held).toHaveLength(1))

  const loaded = loadUnsaved('c')
  setTimeout(() => tab.abort(), 50)

  expect(await loaded).toEqual([])
})

function reload(): void {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([
    { type: 'reload' } as PerformanceNavigationTiming,
  ])
}
