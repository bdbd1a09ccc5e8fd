import { ApiError, messageOf } from '../../app/api/api.ts'
import type { SaveState } from './autosave.ts'

/** The save status in a word or two. `at`: the time of the last save, for display. */
export function saveStatusText(state: SaveState, at: string | null): string {
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
      return 'Edited in another window'
  }
}

/** What failed, whether the text is stored on this device (`stored`), and what to do. */
export function saveFailureText(
  { error, retryMs }: Extract<SaveState, { name: 'failed' }>,
  stored: boolean,
): string {
  const where = stored
    ? 'Your text is stored on this device.'
    : 'The browser could not store your text: keep this tab open.'
  const again = retryMs === null ? '' : ` Retrying in ${Math.round(retryMs / 1000)} seconds.`
  return `Not saved: ${reason(error)} ${where}${again}`
}

function reason(error: unknown): string {
  if (!(error instanceof ApiError)) return messageOf(error)
  switch (error.status) {
    case 0:
      return 'could not reach the server.'
    case 401:
      return 'you are signed out. Sign in, then save again.'
    case 404:
      return 'this page is in the trash. Restore it to continue.'
    case 413:
      return 'the text is too long. Move part of it to another page.'
    case 429:
      return 'too many requests.'
    default:
      return error.status >= 500 ? 'internal server error.' : error.message
  }
}

/** Whether the page has to be restored before it can be saved. */
export const isInTrash = (error: unknown): boolean => error instanceof ApiError && error.status === 404
