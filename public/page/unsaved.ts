// Text of a page that is on this device and not on the server: what an editor had not saved when it ended, and what
// was set aside for a newer version. Every editor has a place of its own, so that two tabs never write over one
// another; a lock that ends with the tab tells which places belong to somebody who is still writing.

import { keepDraft } from '../drafts.ts'
import { newKey } from '../rail/new-key.ts'
import type { Fields } from './autosave.ts'

export type UnsavedText = Fields & {
  /** The version it was written on, and what that said. */
  version: number
  base: Fields | null
  at: string
}

export type UnsavedStore = {
  /** Whether it is kept now: a browser may have no room, or no wish. */
  write(text: UnsavedText): boolean
  clear(): void
}

/** A text that nobody is writing any more. */
export type KeptText = { text: UnsavedText; clear(): void; write(text: UnsavedText): boolean }

const prefixOf = (pageId: string) => `page:${pageId}:`

/** A place for the text of one editor, which is taken until the signal is aborted or the tab is gone. */
export function openUnsaved(pageId: string, signal: AbortSignal): UnsavedStore {
  const name = prefixOf(pageId) + newKey()
  // Without locks, as over plain http from afar, what another tab has is on offer too; its own copy stays.
  navigator.locks
    ?.request(name, () => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())))
    .catch(() => {})
  return storeIn(name)
}

/** Keeps a text beside whatever else there is. */
export function setAside(pageId: string, text: UnsavedText): boolean {
  return storeIn(prefixOf(pageId) + newKey()).write(text)
}

/** Whether there may be any text of the page here. */
export const hasUnsaved = (pageId: string): boolean => namesOf(pageId).length > 0

/** The texts of the page that nobody is writing, the newest first. */
export async function keptTexts(pageId: string): Promise<KeptText[]> {
  const locks = await navigator.locks?.query().catch(() => null)
  const taken = new Set(locks?.held?.map(({ name }) => name))
  return namesOf(pageId)
    .filter((name) => !taken.has(name))
    .flatMap((name) => {
      const text = parse(keepDraft(name).read())
      return text ? [{ text, ...storeIn(name) }] : []
    })
    .toSorted((a, b) => b.text.at.localeCompare(a.text.at))
}

export const differs = (text: Fields, page: Fields): boolean =>
  text.body !== page.body || text.title !== page.title

function storeIn(name: string): UnsavedStore {
  const draft = keepDraft(name)
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

function namesOf(pageId: string): string[] {
  try {
    const start = `void:draft:${prefixOf(pageId)}`
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(start))
      .map((key) => key.slice('void:draft:'.length))
  } catch {
    return []
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
