// Brings the editor to life: saving, the copy on this device, the preview, and what happens elsewhere meanwhile.

import type { Links, Page } from '../../lib/contract/entities.ts'
import type { ViewContext } from '../view.ts'
import { createAutosave, type Fields, type SaveState, type Stored } from './autosave.ts'
import { bringEditor } from './bring-editor.ts'
import { pagePath } from './change-page.ts'
import { createEditNotices } from './edit-notices.ts'
import { hearChanges } from './hear-changes.ts'
import { openConflicts } from './merge.ts'
import { type LivePage, loadEmbeds } from './page-data.ts'
import { createPreview } from './preview.ts'
import { unknownBase } from './settle-conflict.ts'
import { type TextSource, textareaSource } from './text-source.ts'
import { differs, keptTexts, openUnsaved, type UnsavedText } from './unsaved.ts'

const keepMs = 200

export async function mountEditPage(root: HTMLElement, data: LivePage, context: ViewContext): Promise<void> {
  const { page, links, embed } = data
  const { app, signal, url, space } = context
  const kept = (await keptTexts(page.id)).find(({ text }) => differs(text, page))
  if (signal.aborted) return
  const store = openUnsaved(page.id, signal)
  const restored = kept?.text ?? null
  const find = <Found extends HTMLElement>(id: string) => root.querySelector<Found>(`#${id}`)!
  const title = find<HTMLTextAreaElement>('edit-title')
  const section = root.querySelector<HTMLElement>('.edit')!
  let source: TextSource = textareaSource(find('edit-plain'), changed, signal)
  let savedAt: string | null = null
  let isKept = true
  let keeping: ReturnType<typeof setTimeout> | undefined
  let leaving = false

  const read = (): Fields => ({ title: title.value.replace(/\s+/g, ' '), body: source.read() })
  const autosave = createAutosave({
    base: restored ? baseOf(restored, page) : page,
    read,
    send: (fields, version) => app.api.patch<Page>(pagePath(page.id), { ...fields, version }),
    onState: showState,
    onSaved,
    onTheirs,
    isHeld: () => openConflicts(source.read()) > 0,
    signal,
  })
  const preview = createPreview({
    box: find('edit-preview'),
    slug: space!.slug,
    links: links.links,
    embed,
    read: () => source.read(),
    title: () => title.value,
    isShown: () => find('edit-preview').checkVisibility(),
    signal,
  })
  const notices = createEditNotices({
    ...{ app, page, store, read, write },
    shown: find('save-state'),
    box: find('page-notices'),
    autosave: () => autosave,
    keep,
  })

  title.addEventListener('input', changed, { signal })
  title.addEventListener('keydown', toText, { signal })
  find('preview-toggle').addEventListener('click', togglePreview, { signal })
  find('edit-done').addEventListener('click', done, { signal })
  window.addEventListener('pagehide', keep, { signal })
  window.addEventListener('online', () => autosave.flush(), { signal })
  window.addEventListener('beforeunload', warn, { signal })
  signal.addEventListener('abort', leave)
  hearChanges({ app, page, autosave, signal })
  addKeys()
  if (restored) restore(restored)
  else if (differs(read(), page)) changed()
  const editor = await bringEditor(context, {
    plain: source,
    preview: find('edit-preview'),
    onChange: changed,
  })
  if (editor) source = editor
  focusFirst()

  function focusFirst(): void {
    const focused = document.activeElement
    if (signal.aborted || (focused && focused !== document.body && focused.id !== 'content')) return
    if (page.title === 'Untitled' && page.body === '') {
      title.focus()
      title.select()
    } else source.focus()
  }

  function changed(): void {
    preview.changed()
    autosave.changed()
    if (autosave.state().name === 'unsaved') showState(autosave.state())
    clearTimeout(keeping)
    keeping = setTimeout(keep, keepMs)
  }

  /** Keeps on this device what the server does not have yet. */
  function keep(): boolean {
    clearTimeout(keeping)
    const { version, title: baseTitle, body } = autosave.base()
    const text = read()
    if (!differs(text, autosave.base())) return isKept
    const known = body === unknownBase.body ? null : { title: baseTitle, body }
    isKept = store.write({ ...text, version, base: known, at: app.now().toISOString() })
    return isKept
  }

  function warn(event: BeforeUnloadEvent): void {
    if (!keep()) event.preventDefault()
  }

  async function leave(): Promise<void> {
    keep()
    await autosave.flush()
    const state = autosave.state()
    if (state.name !== 'failed' && state.name !== 'conflict') return
    app.toast(`“${page.title}” has changes that are not saved. They are kept on this device.`, {
      tone: 'problem',
      action: { label: 'Open it', run: () => app.navigate(`${url.pathname}?edit=1`) },
    })
  }

  /** Saves and goes back to reading; what cannot be saved keeps the editor open, once. */
  async function done(event?: Event): Promise<void> {
    event?.preventDefault()
    keep()
    await autosave.flush()
    const stuck = autosave.state().name === 'failed' || autosave.state().name === 'conflict'
    if (stuck && !leaving) {
      leaving = true
      return
    }
    await app.navigate(url.pathname, { replace: true })
  }

  async function onSaved(stored: Stored): Promise<void> {
    savedAt = app.now().toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
    if (!differs(read(), autosave.base())) store.clear()
    if (signal.aborted) return
    app.state.set({ subject: { entityType: 'page', entityId: page.id, title: stored.title } })
    document.title = `${stored.title} · Void`
    try {
      const { links } = await app.api.get<Links>(`${pagePath(page.id)}/links`, { signal })
      const embedder = await loadEmbeds(app.api, page.id, links)
      // Those of an earlier text may come after those of a later one.
      if (stored.version >= autosave.base().version) preview.setLinks(links, embedder)
    } catch {
      // The preview keeps the links that it knows.
    }
  }

  function onTheirs(fields: Partial<Fields>, theirs: Stored): void {
    if (fields.title !== undefined) title.value = fields.title
    if (fields.body !== undefined) source.write(fields.body)
    notices.showTheirs(theirs)
  }

  function showState(state: SaveState): void {
    app.state.set({ saving: marks[state.name] })
    if (signal.aborted) return
    if (state.name === 'saved' || state.name === 'failed') leaving = false
    notices.showState(state, savedAt)
  }

  function write(fields: Fields): void {
    title.value = fields.title
    source.write(fields.body)
    if (!signal.aborted) source.focus()
  }

  /** The text that was left behind moves into this editor's own place. */
  function restore(text: UnsavedText): void {
    if (store.write(text)) kept?.clear()
    title.value = text.title
    source.write(text.body)
    notices.showRestored(text)
    if (text.version !== page.version) autosave.meet(page)
  }

  function togglePreview(): void {
    const button = find('preview-toggle')
    const narrow =
      getComputedStyle(section.querySelector('.edit-panes')!).getPropertyValue('--panes').trim() === 'one'
    const on = narrow ? section.dataset.pane !== 'preview' : section.dataset.pane === 'alone'
    section.dataset.pane = on ? (narrow ? 'preview' : 'write') : narrow ? 'write' : 'alone'
    button.setAttribute('aria-pressed', String(on))
    preview.redraw()
    if (narrow && !on) source.focus()
  }

  // A title is one line: Enter goes on to the text.
  function toText(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.isComposing) return
    event.preventDefault()
    source.focus()
  }

  function addKeys(): void {
    const keys = [
      { key: 'Escape', label: 'Done', run: () => done() },
      { key: 'Mod+Enter', label: 'Done', run: () => done() },
      { key: 'Mod+s', label: 'Save now', run: () => autosave.flush() },
      { key: 'Mod+e', label: 'Show or hide the preview', run: togglePreview },
    ]
    app.keys.add(
      keys.map((binding) => ({ ...binding, group: 'Editor', inFields: true, within: root })),
      signal,
    )
  }
}

/** What the restored text was written on, as far as it is known. */
function baseOf(text: UnsavedText, page: Page): Stored {
  if (text.version === page.version) return page
  return { ...page, version: text.version, ...(text.base ?? unknownBase) }
}

/** What the tab says of the saving. */
const marks = {
  saved: null,
  unsaved: 'unsaved',
  saving: 'saving',
  failed: 'error',
  conflict: 'error',
} as const
