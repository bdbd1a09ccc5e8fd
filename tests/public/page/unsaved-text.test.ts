import { afterEach, expect, test, vi } from 'vitest'
import { loadUnsaved, openUnsaved } from '../../../public/page/unsaved/unsaved-text.ts'

const text = {
  title: 'Wash the panes',
  body: 'Both sides',
  version: 1,
  base: null,
  at: '2026-03-02T09:00:00Z',
}

afterEach(() => vi.unstubAllGlobals())

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

test('a text whose editor is about to end is loaded when it has', async () => {
  stubStorage()
  const tab = new AbortController()
  openUnsaved('a', tab.signal).write(text)
  await vi.waitFor(async () => expect((await navigator.locks.query()).held).toHaveLength(1))

  const loaded = loadUnsaved('a')
  setTimeout(() => tab.abort(), 50)

  expect((await loaded).map((copy) => copy.text.body)).toEqual(['Both sides'])
})

test('a text that is open in another tab is left to it', async () => {
  stubStorage()
  const tab = new AbortController()
  openUnsaved('b', tab.signal).write(text)
  await vi.waitFor(async () => expect((await navigator.locks.query()).held).toHaveLength(1))

  expect(await loadUnsaved('b')).toEqual([])
  tab.abort()
})
