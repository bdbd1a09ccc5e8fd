import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadUnsaved, openUnsaved } from '../../../public/page/unsaved/unsaved-text.ts'

const text = {
  title: 'Wash the panes',
  body: 'Both sides',
  version: 1,
  base: null,
  at: '2026-03-02T09:00:00Z',
}

beforeEach(stubStorage)
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
  reload()
  const tab = await editInTab('a')

  const loaded = loadUnsaved('a')
  setTimeout(() => tab.abort(), 50)

  expect((await loaded).map((copy) => copy.text.body)).toEqual(['Both sides'])
})

test.each([true, false])(
  'a text that is open in another tab is left to it (reloaded: %s)',
  async (reloaded) => {
    if (reloaded) reload()
    const tab = await editInTab('b')

    expect(await loadUnsaved('b')).toEqual([])
    tab.abort()
  },
)

test('a document that was not reloaded does not wait for a tab that reloads', async () => {
  const tab = await editInTab('c')

  const loaded = loadUnsaved('c')
  setTimeout(() => tab.abort(), 50)

  expect(await loaded).toEqual([])
})

/** With a text that is not saved, until it is aborted. */
async function editInTab(pageId: string): Promise<AbortController> {
  const tab = new AbortController()
  openUnsaved(pageId, tab.signal).write(text)
  await vi.waitFor(async () => expect((await navigator.locks.query()).held).toHaveLength(1))
  return tab
}

function reload(): void {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([
    { type: 'reload' } as PerformanceNavigationTiming,
  ])
}
