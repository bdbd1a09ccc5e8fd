// Brings the editor to life: saving, the copy on this device, the preview, and what happens elsewhere meanwhile.

import type { Links, Page } from '../../lib/contract/entities.ts'
import { capital, otherActorName } from '../actor-name.ts'
import { messageOf } from '../api.ts'
import type { ViewContext } from '../view.ts'
import { createAutosave, type Fields, type SaveState, type Stored } from './autosave.ts'
import { pagePath } from './change-page.ts'
import { splitProperties } from './front-matter.ts'
import { hearChanges } from './hear-changes.ts'
import { openConflicts } from './merge.ts'
import { showNotice } from './notice.ts'
import type { LivePage } from './page-data.ts'
import { createPreview, followScroll } from './preview.ts'
import { failureWords, isInTrash, saveWords } from './save-words.ts'
import { settleConflict } from './settle-conflict.ts'
import { type TextSource, textareaSource } from './text-source.ts'
import { differs, type UnsavedText, unsavedText } from './unsaved.ts'

const keepMs = 200
/** A base that equals nothing: what the text was written on is not known any more. */
const unknown: Fields = { title: '\u0000', body: '\u0000' }

export function mountEditPage(root: HTMLElement, { page, links }: LivePage, context: ViewContext): void {
  const { app, signal, url, space } = context
  const find = <Found extends HTMLElement>(id: string) => root.querySelector<Found>(`#${id}`)!
  const title = find<HTMLTextAreaElement>('edit-title')
  const notices = find('page-notices')
  const shown = find('save-state')
  const section = root.querySelector<HTMLElement>('.edit')!
  const store = unsavedText(page.id)
  const found = store.read()
  const restored = found && differs(found, page) ? found : null
  const base = restored ? baseOf(restored, page) : page
  let source: TextSource = textareaSource(find('edit-plain'), changed, signal)
  let savedAt: string | null = null
  let kept = true
  let keeping: ReturnType<typeof setTimeout> | undefined
  let leaving = false

  const read = (): Fields => ({ title: title.value.replace(/\s+/g, ' '), body: source.read() })
  const autosave = createAutosave({
    base,
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
    read: () => source.read(),
    title: () => title.value,
    isShown: () => find('edit-preview').checkVisibility(),
    signal,
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
  else store.clear()
  bringEditor()

  async function bringEditor(): Promise<void> {
    try {
      const { createEditor } = await import('./editor/code-mirror.ts')
      if (signal.aborted) return
      const plain = source
      const hadFocus = plain.hasFocus()
      const text = plain.read()
      // Above the properties nothing is to be written.
      const start = text.length - splitProperties(text).content.length
      const editor = createEditor({
        text,
        selection: hadFocus ? plain.selection() : { from: start, to: start },
        label: 'Text of the page',
        onChange: changed,
        signal,
      })
      source = editor
      plain.element.replaceWith(editor.element)
      followScroll(editor.scroller, find('edit-preview'), signal)
      if (hadFocus) editor.focus()
    } catch {
      app.toast('The editor could not be fetched; the plain field works too.')
    }
    const focused = document.activeElement
    if (!focused || focused === document.body || focused.id === 'content') focusFirst()
  }

  function focusFirst(): void {
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
  function keep(): void {
    clearTimeout(keeping)
    const { version, title: baseTitle, body } = autosave.base()
    const text = read()
    if (!differs(text, autosave.base())) return
    const known = body === unknown.body ? null : { title: baseTitle, body }
    kept = store.write({ ...text, version, base: known, at: app.now().toISOString() })
  }

  function warn(event: BeforeUnloadEvent): void {
    keep()
    if (!kept) event.preventDefault()
  }

  async function leave(): Promise<void> {
    clearTimeout(keeping)
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

  function onSaved(stored: Stored): void {
    const now = app.now()
    savedAt = now.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
    if (!differs(read(), autosave.base())) store.clear()
    if (signal.aborted) return
    app.state.set({ subject: { entityType: 'page', entityId: page.id, title: stored.title } })
    document.title = `${stored.title} · Void`
    app.api.get<Links>(`${pagePath(page.id)}/links`).then(
      (answer) => preview.setLinks(answer.links),
      () => {},
    )
  }

  function onTheirs(fields: Partial<Fields>, theirs: Stored): void {
    if (fields.title !== undefined) title.value = fields.title
    if (fields.body !== undefined) source.write(fields.body)
    const message = `${capital(otherActorName(theirs.updated_by))} changed this page just now; it is shown as it is.`
    showNotice(notices, { tone: 'plain', text: message, actions: [dismiss] })
  }

  function showState(state: SaveState): void {
    if (signal.aborted) return
    if (shown.dataset.state === 'conflict' && state.name !== 'conflict') notices.replaceChildren()
    shown.dataset.state = state.name
    shown.textContent = saveWords(state, savedAt)
    const left = openConflicts(source.read())
    if (left > 0 && state.name === 'unsaved') shown.textContent = `${left} to settle, then it is saved`
    if (state.name === 'saved' || state.name === 'failed') leaving = false
    if (state.name === 'failed') showFailure(state)
    else if (state.name === 'conflict') showConflict(state.theirs)
    else if (state.name === 'saved') notices.querySelector('.page-notice-red, .page-notice-amber')?.remove()
  }

  function showFailure(state: Extract<SaveState, { name: 'failed' }>): void {
    keep()
    const again = isInTrash(state.error)
      ? { label: 'Restore and save', run: restorePage }
      : { label: 'Save now', run: () => autosave.flush() }
    showNotice(notices, { tone: 'red', text: failureWords(state, kept), actions: [again] })
  }

  async function restorePage(): Promise<void> {
    try {
      const back = await app.api.post<Page>(`${pagePath(page.id)}/restore`)
      autosave.rebase({ ...autosave.base(), version: back.version })
      await autosave.flush()
    } catch (error) {
      app.toast(`The page is still in the trash. ${messageOf(error)}`, { tone: 'problem' })
    }
  }

  function showConflict(theirs: Stored): void {
    keep()
    const choose = () => settleConflict({ app, pageId: page.id, autosave, theirs, read, write })
    showNotice(notices, {
      tone: 'amber',
      text: `${capital(otherActorName(theirs.updated_by))} changed this page while you were writing. Saving waits; your text is kept on this device.`,
      actions: [{ label: 'Compare and choose', run: choose }],
    })
    choose()
  }

  function write(fields: Fields): void {
    title.value = fields.title
    source.write(fields.body)
    if (!signal.aborted) source.focus()
  }

  function restore(text: UnsavedText): void {
    title.value = text.title
    source.write(text.body)
    const drop = () => {
      store.clear()
      write(page)
      notices.replaceChildren()
      const run = () => write(text)
      app.toast('The editor shows the page as it is saved.', { action: { label: 'Undo', run } })
    }
    showNotice(notices, {
      tone: 'amber',
      text: 'What you had not saved is back in the editor.',
      actions: [
        { label: 'Save it', run: () => autosave.flush() },
        { label: 'Back to the saved page', run: drop },
      ],
    })
    if (text.version !== page.version) autosave.meet(page)
  }

  function togglePreview(): void {
    const button = find('preview-toggle')
    const narrow =
      getComputedStyle(section.querySelector('.edit-panes')!).getPropertyValue('--panes').trim() === 'one'
    const on = narrow ? section.dataset.pane !== 'preview' : section.dataset.pane === 'alone'
    section.dataset.pane = on ? (narrow ? 'preview' : 'write') : narrow ? 'write' : 'alone'
    button.setAttribute('aria-pressed', String(on))
    preview.setLinks(links.links)
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

  const dismiss = { label: 'Dismiss', run: () => notices.replaceChildren() }
}

/** What the restored text was written on, as far as it is known. */
function baseOf(text: UnsavedText, page: Page): Stored {
  if (text.version === page.version) return page
  return { ...page, version: text.version, ...(text.base ?? unknown) }
}
