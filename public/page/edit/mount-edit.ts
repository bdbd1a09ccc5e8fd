// Makes the editor live: autosave, the copy on this device, the preview, and changes from elsewhere.

import type { Links, Page } from '../../../lib/contract/entities.ts'
import type { ViewContext } from '../../app/view.ts'
import { pagePath } from '../data/change-page.ts'
import type { Embedder, LivePage } from '../data/page-data.ts'
import { openConflicts } from '../merge/merge-with-markers.ts'
import { differs, loadUnsaved, openUnsaved, type UnsavedText } from '../unsaved/unsaved-text.ts'
import { createAutosave, type SaveState, type Stored } from './autosave.ts'
import { createDeviceCopy } from './device-copy.ts'
import { createEditFields } from './edit-fields.ts'
import { addEditKeys } from './edit-keys.ts'
import { createEditNotices } from './edit-notices.ts'
import type { Editor } from './editor/code-mirror.ts'
import { watchExit } from './leave-editor.ts'
import { replacePlainField } from './load-editor.ts'
import { mountPreview } from './mount-preview.ts'
import { unknownBase } from './resolve-conflict.ts'
import { showSaved } from './show-saved.ts'
import { mountSourceToggle } from './source-toggle.ts'
import { watchRemoteChanges } from './watch-remote-changes.ts'

const statusMs = 200

export async function mountEditPage(root: HTMLElement, data: LivePage, context: ViewContext): Promise<void> {
  const { page } = data
  const { app, signal } = context
  const unsaved = (await loadUnsaved(page.id)).find(({ text }) => differs(text, page))
  if (signal.aborted) return
  const store = openUnsaved(page.id, signal)
  const fields = createEditFields(root, onChange, signal)
  const preview = mountPreview(root, data, fields, context)
  let savedAt: string | null = null
  let editor: Editor | null = null
  let statusTimer: ReturnType<typeof setTimeout> | undefined
  const autosave = createAutosave({
    base: unsaved ? baseOf(unsaved.text, page) : page,
    read: fields.read,
    send: (changed, version) => app.api.patch<Page>(pagePath(page.id), { ...changed, version }),
    onState,
    onSaved(stored) {
      savedAt = app.now().toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
      if (!differs(fields.read(), autosave.base())) store.clear()
      void showSaved(stored, { setLinks, autosave, pageId: page.id }, context)
    },
    onTheirs(changed, theirs) {
      fields.write(changed)
      notices.showTheirs(theirs)
    },
    holdsTitle: () => document.hasFocus() && document.activeElement === fields.title,
    isHeld: () => openConflicts(fields.read().body) > 0,
    signal,
  })
  const copy = createDeviceCopy(store, { autosave, fields, now: app.now })
  const exit = watchExit(page, { autosave, copy }, context)
  const notices = createEditNotices({ root, app, page, autosave, store, copy, fields, signal })

  fields.title.addEventListener('blur', onChange, { signal })
  root.querySelector('#edit-done')?.addEventListener('click', exit.done, { signal })
  window.addEventListener('online', () => autosave.flush(), { signal })
  watchRemoteChanges({ app, page, autosave, signal })
  const toggleSource = mountSourceToggle(root, () => editor, signal)
  addEditKeys(
    root,
    { done: exit.done, save: () => autosave.flush(), toggle: preview.toggle, toggleSource },
    context,
  )
  if (unsaved) {
    if (store.write(unsaved.text)) unsaved.clear()
    fields.write(unsaved.text)
    notices.showRestored(unsaved.text)
    if (unsaved.text.version !== page.version) autosave.reconcile(page)
  } else if (differs(fields.read(), page)) onChange()
  editor = await replacePlainField(root, fields, { page, links: data.links.links, onChange, context })

  function setLinks(links: Links['links'], embed: Embedder | undefined): void {
    preview.setLinks(links, embed)
    editor?.setLinks(links)
  }

  function onChange(): void {
    preview.changed()
    autosave.changed()
    copy.schedule()
    clearTimeout(statusTimer)
    statusTimer = setTimeout(showUnsaved, statusMs)
  }

  /** How many conflicts are left is read from the whole text. */
  function showUnsaved(): void {
    if (autosave.state().name === 'unsaved') onState(autosave.state())
  }

  function onState(state: SaveState): void {
    app.state.set({ saving: saveMarks[state.name] })
    if (signal.aborted) return
    if (state.name === 'saved' || state.name === 'failed') exit.reset()
    notices.showState(state, savedAt)
  }
}

/** The base of restored text, as far as it is known. */
function baseOf(text: UnsavedText, page: Page): Stored {
  if (text.version === page.version) return page
  return { ...page, version: text.version, ...(text.base ?? unknownBase) }
}

/** The save status on the tab. */
const saveMarks = {
  saved: null,
  unsaved: 'unsaved',
  saving: 'saving',
  failed: 'error',
  conflict: 'error',
} as const
