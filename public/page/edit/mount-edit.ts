// Makes the editor live: autosave, the copy on this device, the preview, and changes from elsewhere.

import type { Links, Page } from '../../../lib/contract/entities.ts'
import { ApiError } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { loadEditorModes, saveEditorModes } from '../../app/storage/editor-modes.ts'
import type { ViewContext } from '../../app/view.ts'
import { loadEmbeds } from '../data/load-embeds.ts'
import { type Embedder, type LivePage, pagePath } from '../data/page-data.ts'
import { openConflicts } from '../unsaved/merge-with-markers.ts'
import { baseOf, differs, loadUnsaved, openUnsaved } from '../unsaved/unsaved-text.ts'
import { type Autosave, createAutosave, type SavedPage, type SaveState } from './autosave.ts'
import { createDeviceCopy, watchExit } from './device-copy.ts'
import { createEditFields } from './edit-fields.ts'
import { createEditNotices } from './edit-notices.ts'
import type { Editor } from './editor/code-mirror.ts'
import { replacePlainField } from './load-editor.ts'
import { mountPreview, type Preview } from './preview.ts'

const statusMs = 200

export async function mountEditPage(root: HTMLElement, data: LivePage, context: ViewContext): Promise<void> {
  const { page } = data
  const { app, signal } = context
  const unsaved = (await loadUnsaved(page.id)).find(({ text }) => differs(text, page))
  if (signal.aborted) return
  const isOld = unsaved !== undefined && unsaved.text.version !== page.version
  const saveId = (isOld && unsaved.text.saveId) || null
  const store = openUnsaved(page.id, signal)
  const fields = createEditFields(root, onChange, signal)
  const preview = mountPreview(root, data, fields, context)
  let savedAt: string | null = null
  let editor: Editor | null = null
  let statusTimer: ReturnType<typeof setTimeout> | undefined
  const autosave = createAutosave({
    base: unsaved ? baseOf(unsaved.text, page) : page,
    saveId,
    read: fields.read,
    send: (changed, version, save_id) =>
      app.api.patch<Page>(pagePath(page.id), { ...changed, version, save_id }),
    onState,
    onSaved(saved) {
      savedAt = app.now().toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
      if (!differs(fields.read(), autosave.base())) store.clear()
      void showSaved(saved, { setLinks, autosave, pageId: page.id }, context)
    },
    onTheirs(changed, theirs) {
      fields.write(changed)
      if (theirs) notices.showTheirs(theirs)
    },
    holdsTitle: () => document.hasFocus() && document.activeElement === fields.title,
    isHeld: () => openConflicts(fields.read().body) > 0,
    signal,
  })
  const copy = createDeviceCopy(store, {
    autosave,
    fields,
    saveId: () => autosave.saveId(),
    now: app.now,
  })
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
    // What changed the page may have been the save of this text.
    if (saveId) void autosave.flush()
    else if (isOld) autosave.reconcile(page)
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

/** The save status on the tab. */
const saveMarks = {
  saved: null,
  unsaved: 'unsaved',
  saving: 'saving',
  failed: 'error',
  conflict: 'error',
} as const

type EditActions = {
  done(): Promise<void>
  save(): Promise<void>
  toggle(): void
  toggleSource(): void
}

/** The keys of the editor; they work in its fields. */
function addEditKeys(
  root: HTMLElement,
  { done, save, toggle, toggleSource }: EditActions,
  { app, signal }: ViewContext,
): void {
  const keys = [
    { key: 'Escape', label: 'Done', run: () => done() },
    { key: 'Mod+Enter', label: 'Done', run: () => done() },
    { key: 'Mod+s', label: 'Save now', run: () => save() },
    { key: 'Mod+e', label: 'Toggle preview', run: toggle },
    { key: 'Mod+/', label: 'Toggle Markdown source', run: toggleSource },
  ]
  app.keys.add(
    keys.map((binding) => ({ ...binding, group: 'Editor', inFields: true, within: root })),
    signal,
  )
}

/** The button that shows the Markdown as it is. Returns what it does, for a key. */
function mountSourceToggle(root: HTMLElement, editor: () => Editor | null, signal: AbortSignal): () => void {
  const button = root.querySelector<HTMLElement>('#source-toggle')!
  const show = (on: boolean) => button.setAttribute('aria-pressed', String(on))
  show(loadEditorModes().source)
  button.addEventListener('click', toggle, { signal })
  return toggle

  function toggle(): void {
    const on = button.getAttribute('aria-pressed') !== 'true'
    saveEditorModes({ source: on })
    show(on)
    editor()?.showSource(on)
    editor()?.focus()
  }
}

type WatchOptions = { app: App; page: Page; autosave: Autosave; signal: AbortSignal }

/** Passes changes of the page from elsewhere on to the autosave. */
function watchRemoteChanges({ app, page, autosave, signal }: WatchOptions): void {
  app.live.on((event) => {
    if (event.type === 'hello' && !event.data.resumed) check()
    if (event.type !== 'entity' || event.data.id !== page.id) return
    if (event.data.action === 'delete')
      autosave.fail(new ApiError(404, 'in_trash', 'The page is in the trash.'))
    else check(event.data.version)
  }, signal)

  async function check(version = Infinity): Promise<void> {
    // Our own save emits an event too, often before its response arrives.
    await autosave.settled()
    if (signal.aborted || version <= autosave.base().version) return
    const theirs = await app.api.get<Page>(pagePath(page.id)).catch(() => null)
    if (!theirs || signal.aborted) return
    await autosave.settled()
    autosave.reconcile(theirs)
  }
}

/** Shows what has changed with a save: the title of the window and of the tab, the links of the preview. */
async function showSaved(
  saved: SavedPage,
  { setLinks, autosave, pageId }: { setLinks: Preview['setLinks']; autosave: Autosave; pageId: string },
  { app, signal }: ViewContext,
): Promise<void> {
  if (signal.aborted) return
  app.state.set({ subject: { entityType: 'page', entityId: pageId, title: saved.title } })
  document.title = `${saved.title} · Void`
  const { here } = app.state.get()
  if (here.title !== saved.title) app.state.set({ here: { ...here, title: saved.title } })
  try {
    const { links } = await app.api.get<Links>(`${pagePath(pageId)}/links`, { signal })
    const embedder = await loadEmbeds(app.api, pageId, links)
    // The links of an earlier version may arrive after those of a later one.
    if (saved.version >= autosave.base().version) setLinks(links, embedder)
  } catch {
    // The preview keeps the links that it has.
  }
}
