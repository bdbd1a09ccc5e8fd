import type { Page } from '../../../lib/contract/entities.ts'
import { ApiError, messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { capital, otherActorName } from '../../ui/words/names.ts'
import type { PageText } from '../data/page-data.ts'
import { openConflicts } from '../unsaved/merge-with-markers.ts'
import { showNotice } from '../unsaved/offer-unsaved.ts'
import type { UnsavedStore, UnsavedText } from '../unsaved/unsaved-text.ts'
import type { Autosave, SavedPage, SaveState } from './autosave.ts'
import type { DeviceCopy } from './device-copy.ts'
import type { EditFields } from './edit-fields.ts'
import { reviewConflict, settleConflict } from './resolve-conflict.ts'
import { restoreAndSave } from './restore-and-save.ts'

type EditNoticesOptions = {
  root: HTMLElement
  app: App
  page: Page
  autosave: Autosave
  store: UnsavedStore
  copy: DeviceCopy
  fields: EditFields
  signal: AbortSignal
}

/** The save status of the editor, and the notices with their actions. */
export function createEditNotices({
  root,
  app,
  page,
  autosave,
  store,
  copy,
  fields,
  signal,
}: EditNoticesOptions) {
  const status = root.querySelector<HTMLElement>('#save-state')!
  const box = root.querySelector<HTMLElement>('#page-notices')!
  const { read } = fields
  return { showState, showTheirs, showRestored }

  function write(values: PageText): void {
    fields.write(values)
    if (!signal.aborted) fields.text().focus()
  }

  /** `savedAt`: the time of the last save, for display. */
  function showState(state: SaveState, savedAt: string | null): void {
    if (status.dataset.state === 'conflict' && state.name !== 'conflict') box.replaceChildren()
    status.dataset.state = state.name
    status.textContent = saveStatusText(state, savedAt)
    const conflicts = openConflicts(read().body)
    if (conflicts > 0 && state.name === 'unsaved')
      status.textContent = `${conflicts === 1 ? '1 conflict' : `${conflicts} conflicts`} to resolve`
    if (state.name === 'failed') showFailure(state)
    else if (state.name === 'conflict') showConflict(state.theirs)
    else if (state.name === 'saved') box.querySelector('.page-notice-red, .page-notice-amber')?.remove()
  }

  function showFailure(state: Extract<SaveState, { name: 'failed' }>): void {
    const again = isInTrash(state.error)
      ? { label: 'Restore and save', run: restore }
      : { label: 'Save now', run: () => autosave.flush() }
    showNotice(box, { tone: 'red', text: saveFailureText(state, copy.store()), actions: [again] })
  }

  async function restore(): Promise<void> {
    try {
      await restoreAndSave(app.api, page.id, autosave)
    } catch (error) {
      app.toast(`Could not restore the page. ${messageOf(error)}`, { tone: 'problem' })
    }
  }

  /** Only a banner: a dialog would take the keys of whoever is typing. */
  function showConflict(theirs: SavedPage): void {
    copy.store()
    const conflict = { app, pageId: page.id, autosave, store, theirs, read, write }
    const settle = (choice: 'mine' | 'theirs') => async () => {
      await settleConflict(conflict, choice)
      // The button goes with the banner.
      if (!signal.aborted) fields.text().focus()
    }
    showNotice(box, {
      tone: 'amber',
      text: `Edited in another window. ${capital(otherActorName(theirs.updated_by))} changed this page while you were editing it. Choose a version to continue saving. Your text is stored on this device.`,
      actions: [
        { label: 'Review', run: () => reviewConflict(conflict) },
        { label: 'Keep my version', run: settle('mine') },
        { label: 'Use their version', run: settle('theirs') },
      ],
    })
  }

  /** The editor took over a change from elsewhere that did not conflict. */
  function showTheirs(theirs: SavedPage): void {
    const message = `${capital(otherActorName(theirs.updated_by))} changed this page just now. The editor shows the new version.`
    const dismiss = { label: 'Dismiss', run: () => box.replaceChildren() }
    showNotice(box, { tone: 'plain', text: message, actions: [dismiss] })
  }

  /** The editor was filled with unsaved text. */
  function showRestored(text: UnsavedText): void {
    const drop = () => {
      store.clear()
      write(page)
      box.replaceChildren()
      const run = () => write(text)
      app.toast('Discarded your unsaved changes.', { action: { label: 'Undo', run } })
    }
    showNotice(box, {
      tone: 'amber',
      text: 'Restored unsaved changes.',
      actions: [
        { label: 'Save now', run: () => autosave.flush() },
        { label: 'Discard changes', run: drop },
      ],
    })
  }
}

/** The save status in a word or two. `at`: the time of the last save, for display. */
function saveStatusText(state: SaveState, at: string | null): string {
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
function saveFailureText(
  { error, retryMs }: Extract<SaveState, { name: 'failed' }>,
  isStored: boolean,
): string {
  const where = isStored
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
const isInTrash = (error: unknown): boolean => error instanceof ApiError && error.status === 404
