import { ApiError, messageOf } from '../api.ts'
import type { SaveState } from './autosave.ts'

/** How the saving stands, in a word or two. `at`: when it last went well, as a person reads it. */
export function saveWords(state: SaveState, at: string | null): string {
  switch (state.name) {
    case 'saved':
      return at ? `Saved ${at}` : 'Saved'
    case 'unsaved':
      return 'Unsaved changes'
    case 'saving':
      return 'Saving…'
    case 'failed':
      return 'Not saved'
    case 'conflict':
      return 'Changed elsewhere'
  }
}

/** What happened, what was kept, what to do. `kept`: whether this device has the text. */
export function failureWords(
  { error, retryMs }: Extract<SaveState, { name: 'failed' }>,
  kept: boolean,
): string {
  const where = kept
    ? 'Your text is kept on this device.'
    : 'Your text is only in this tab, because the browser has no room for it: keep the tab open.'
  const again = retryMs === null ? '' : ` It is tried again in ${Math.round(retryMs / 1000)} seconds.`
  return `Not saved: ${reason(error)} ${where}${again}`
}

function reason(error: unknown): string {
  if (!(error instanceof ApiError)) return messageOf(error)
  switch (error.status) {
    case 0:
      return 'the server cannot be reached.'
    case 401:
      return 'you are signed out. Sign in and save again.'
    case 404:
      return 'this page is in the trash. Restore it to go on.'
    case 413:
      return 'the text is too long for one page. Move a part of it to another page, and it is saved.'
    case 429:
      return 'the server has had too many requests in a short time.'
    default:
      return error.status >= 500 ? 'the server had a problem of its own.' : error.message
  }
}

/** Whether the page has to come out of the trash before it can be saved. */
export const isInTrash = (error: unknown): boolean => error instanceof ApiError && error.status === 404
