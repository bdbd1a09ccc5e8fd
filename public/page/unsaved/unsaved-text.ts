// Text of a page, task, project, reference or resource that is on this device and not on the server: what an editor had
// not saved when it was closed, and versions that were replaced by newer ones. Each editor has a key of its own, so that
// two tabs never overwrite one another; a lock that ends with the tab marks the keys of open editors.

import { createIdempotencyKey } from '../../app/api/api.ts'
import { savedText } from '../../app/storage/saved-text.ts'
import { type PageText, unsavedNames, unsavedPrefix } from '../data/page-data.ts'

export type UnsavedText = PageText & {
  /** The version it was made on, and the text of that version. */
  version: number
  base: PageText | null
  /** The id of the save of it, which may have reached the server. */
  saveId?: string | undefined
  at: string
}

export type UnsavedStore = {
  /** Whether it is stored: a browser may have no room, or no storage. */
  write(text: UnsavedText): boolean
  clear(): void
}

/** A text without an open editor. */
export type StoredText = { text: UnsavedText; clear(): void; write(text: UnsavedText): boolean }

/** The store of one editor, locked until the signal is aborted or the tab is closed. */
export function openUnsaved(pageId: string, signal: AbortSignal): UnsavedStore {
  const name = unsavedPrefix(pageId) + createIdempotencyKey()
  // Without locks, as over plain http, the text of other tabs is offered too; their own copy stays.
  navigator.locks
    ?.request(name, () => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())))
    .catch(() => {})
  return storeIn(name)
}

/** Stores a text next to those that are there. */
export function storeUnsaved(pageId: string, text: UnsavedText): boolean {
  return storeIn(unsavedPrefix(pageId) + createIdempotencyKey()).write(text)
}

/** The texts of the page without an open editor, newest first. */
export async function loadUnsaved(pageId: string): Promise<StoredText[]> {
  const names = await Promise.all(
    unsavedNames(pageId).map(async (name) => ((await isClosed(name)) ? [name] : [])),
  )
  return names
    .flat()
    .flatMap((name) => {
      const text = parse(savedText(name).read())
      return text ? [{ text, ...storeIn(name) }] : []
    })
    .toSorted((a, b) => b.text.at.localeCompare(a.text.at))
}

/** How long the lock of the document that a reload replaces may outlive it. */
const lockWaitMs = 500

/** Whether no tab edits a text. Only a reloaded document waits: another tab would take what belongs to that one. */
async function isClosed(name: string): Promise<boolean> {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const options =
    navigation?.type === 'reload' ? { signal: AbortSignal.timeout(lockWaitMs) } : { ifAvailable: true }
  try {
    return (
      (await navigator.locks?.request(name, { mode: 'shared', ...options }, async (lock) => lock !== null)) ??
      true
    )
  } catch (error) {
    return !(error instanceof DOMException && error.name === 'TimeoutError')
  }
}

export const differs = (text: PageText, page: PageText): boolean =>
  text.body !== page.body || text.title !== page.title

/** A base that equals no text: the one that a text was written on is not known. */
const unknownBase = { title: '\u0000', body: '\u0000' } as const

/** What a text was made on, as far as it is known; `saved` is the entity as it is. */
export function baseOf<Row extends PageText & { version: number }>(text: UnsavedText, saved: Row): Row {
  if (text.version === saved.version) return saved
  return { ...saved, version: text.version, ...(text.base ?? unknownBase) }
}

export const knownBase = ({ title, body }: PageText): PageText | null =>
  body === unknownBase.body ? null : { title, body }

function storeIn(name: string): UnsavedStore {
  const draft = savedText(name)
  return {
    clear: () => draft.write(''),
    write(text) {
      const whole = JSON.stringify(text)
      draft.write(whole)
      if (draft.read() === whole) return true
      const part = JSON.stringify({ ...text, base: null })
      draft.write(part)
      return draft.read() === part
    },
  }
}

function parse(text: string): UnsavedText | null {
  if (text === '') return null
  try {
    const value: unknown = JSON.parse(text)
    return isUnsaved(value) ? value : null
  } catch {
    return null
  }
}

const isUnsaved = (value: unknown): value is UnsavedText =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'title') === 'string' &&
  typeof Reflect.get(value, 'body') === 'string' &&
  typeof Reflect.get(value, 'at') === 'string' &&
  typeof Reflect.get(value, 'version') === 'number'
