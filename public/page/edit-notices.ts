import type { Page } from '../../lib/contract/entities.ts'
import { capital, otherActorName } from '../actor-name.ts'
import { messageOf } from '../api.ts'
import type { App } from '../app.ts'
import type { Autosave, Fields, SaveState, Stored } from './autosave.ts'
import { pagePath } from './change-page.ts'
import { openConflicts } from './merge.ts'
import { showNotice } from './notice.ts'
import { failureWords, isInTrash, saveWords } from './save-words.ts'
import { settleConflict } from './settle-conflict.ts'
import type { UnsavedStore, UnsavedText } from './unsaved.ts'

export type EditNoticesOptions = {
  app: App
  page: Page
  /** The line that says how the saving stands, and where longer messages stand. */
  shown: HTMLElement
  box: HTMLElement
  autosave: () => Autosave
  store: UnsavedStore
  read: () => Fields
  write: (fields: Fields) => void
  /** Keeps the text on this device; says whether it is kept. */
  keep: () => boolean
}

/** What the editor says about the saving, and what can be done about it. */
export function createEditNotices(options: EditNoticesOptions) {
  const { app, page, shown, box, autosave, store, read, write, keep } = options

  return { showState, showTheirs, showRestored }

  /** `savedAt`: when it last went well, as a person reads it. */
  function showState(state: SaveState, savedAt: string | null): void {
    if (shown.dataset.state === 'conflict' && state.name !== 'conflict') box.replaceChildren()
    shown.dataset.state = state.name
    shown.textContent = saveWords(state, savedAt)
    const left = openConflicts(read().body)
    if (left > 0 && state.name === 'unsaved') shown.textContent = `${left} to settle, then it is saved`
    if (state.name === 'failed') showFailure(state)
    else if (state.name === 'conflict') showConflict(state.theirs)
    else if (state.name === 'saved') box.querySelector('.page-notice-red, .page-notice-amber')?.remove()
  }

  function showFailure(state: Extract<SaveState, { name: 'failed' }>): void {
    const again = isInTrash(state.error)
      ? { label: 'Restore and save', run: restorePage }
      : { label: 'Save now', run: () => autosave().flush() }
    showNotice(box, { tone: 'red', text: failureWords(state, keep()), actions: [again] })
  }

  async function restorePage(): Promise<void> {
    try {
      const back = await app.api.post<Page>(`${pagePath(page.id)}/restore`)
      autosave().rebase({ ...autosave().base(), version: back.version })
      await autosave().flush()
    } catch (error) {
      app.toast(`The page is still in the trash. ${messageOf(error)}`, { tone: 'problem' })
    }
  }

  function showConflict(theirs: Stored): void {
    keep()
    const choose = () =>
      settleConflict({ app, pageId: page.id, autosave: autosave(), store, theirs, read, write })
    showNotice(box, {
      tone: 'amber',
      text: `${capital(otherActorName(theirs.updated_by))} changed this page while you were writing. Saving waits; your text is kept on this device.`,
      actions: [{ label: 'Compare and choose', run: choose }],
    })
    choose()
  }

  /** A change from elsewhere that touched nothing of what was typed, and is in the editor now. */
  function showTheirs(theirs: Stored): void {
    const message = `${capital(otherActorName(theirs.updated_by))} changed this page just now; it is shown as it is.`
    const dismiss = { label: 'Dismiss', run: () => box.replaceChildren() }
    showNotice(box, { tone: 'plain', text: message, actions: [dismiss] })
  }

  /** A text that was left behind stands in the editor again. */
  function showRestored(text: UnsavedText): void {
    const drop = () => {
      store.clear()
      write(page)
      box.replaceChildren()
      const run = () => write(text)
      app.toast('The editor shows the page as it is saved.', { action: { label: 'Undo', run } })
    }
    showNotice(box, {
      tone: 'amber',
      text: 'What you had not saved is back in the editor.',
      actions: [
        { label: 'Save it', run: () => autosave().flush() },
        { label: 'Back to the saved page', run: drop },
      ],
    })
  }
}
