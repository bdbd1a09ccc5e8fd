// Makes a page in view one that is written: autosave, the copy on this device, and changes from elsewhere. Nothing of it
// moves: the title becomes a field of the same measures, and the editor takes the place of the text.

import type { Links, Page } from '../../../lib/contract/entities.ts'
import { ApiError } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import type { bufferKeys } from '../../app/buffer-keys.ts'
import type { ViewContext } from '../../app/view.ts'
import { outwardUrl } from '../../ui/address.ts'
import { el } from '../../ui/dom.ts'
import { timeOfDay } from '../../ui/time.ts'
import type { WriteAt } from '../data/clicked-text.ts'
import { loadEmbeds } from '../data/load-embeds.ts'
import { type Embedder, type LivePage, pagePath } from '../data/page-data.ts'
import { openConflicts } from '../unsaved/merge-with-markers.ts'
import { baseOf, differs, loadUnsaved, openUnsaved } from '../unsaved/unsaved-text.ts'
import { type Autosave, createAutosave, type SavedPage, type SaveState } from './autosave.ts'
import { createDeviceCopy, watchExit } from './device-copy.ts'
import { createEditFields } from './edit-fields.ts'
import { addEditKeys, offerSource } from './edit-keys.ts'
import { createEditNotices } from './edit-notices.ts'
import { textareaSource } from './editor/text-source.ts'
import { keepChanges, loadEditor } from './load-editor.ts'
import { placeCaret, placeIn, watchClicks } from './write-at.ts'

const statusMs = 200

/** `typed`: what was typed until then. */
export async function startWriting(
  root: HTMLElement,
  data: LivePage,
  context: ViewContext,
  { at, typed }: { at: WriteAt; typed: ReturnType<typeof bufferKeys> },
): Promise<void> {
  const { page } = data
  const { app, url } = context
  const session = new AbortController()
  const { signal } = session
  context.signal.addEventListener('abort', () => session.abort())
  data.isBusy = true
  const unsaved = (await loadUnsaved(page.id)).find(({ text }) => differs(text, page))
  if (signal.aborted) return
  const isOld = unsaved !== undefined && unsaved.text.version !== page.version
  const saveId = (isOld && unsaved.text.saveId) || null
  const store = openUnsaved(page.id, signal)
  const { prose, title, unfold } = unfoldPage(root, page)
  const place = placeIn(at, prose)
  const release = holdHeight(prose)
  let { links } = data
  let { embed } = data
  const editor = await loadEditor({
    prose,
    page,
    text: page.body,
    title: () => title.value,
    links: () => links,
    embed: () => embed,
    drawing: data.drawing,
    onChange,
    context,
    signal,
  })
  if (signal.aborted) return
  const source = editor ?? plainField(prose, page, { onChange, signal })
  const fields = createEditFields(title, source, { onChange, signal })
  let savedAt: string | null = null
  let statusTimer: ReturnType<typeof setTimeout> | undefined
  const autosave = createAutosave({
    base: unsaved ? baseOf(unsaved.text, page) : page,
    saveId,
    read: fields.read,
    send: (changed, version, save_id) =>
      app.api.patch<Page>(pagePath(page.id), { ...changed, version, save_id }),
    onState,
    onSaved(saved) {
      savedAt = timeOfDay(app.now())
      if (!differs(fields.read(), autosave.base())) store.clear()
      void showSaved(saved, { setLinks, autosave, pageId: page.id }, { ...context, signal })
    },
    onTheirs(changed, theirs) {
      fields.write(changed)
      if (theirs) notices.showTheirs(theirs)
    },
    holdsTitle: () => document.hasFocus() && document.activeElement === fields.title,
    isHeld: () => openConflicts(fields.read().body) > 0,
    signal,
  })
  const copy = createDeviceCopy(store, { autosave, fields, saveId: () => autosave.saveId(), now: app.now })
  const exit = watchExit(page, { autosave, copy, end }, { ...context, signal })
  const notices = createEditNotices({ root, app, page, autosave, store, copy, fields, signal })

  fields.title.addEventListener('blur', onChange, { signal })
  window.addEventListener('online', () => autosave.flush(), { signal })
  watchRemoteChanges({ app, page, autosave, signal })
  const toggleSource = offerSource(data, editor, signal)
  addEditKeys(root, { done: exit.done, save: () => autosave.flush(), toggleSource }, { app, signal })
  if (unsaved) {
    if (store.write(unsaved.text)) unsaved.clear()
    fields.write(unsaved.text)
    notices.showRestored(unsaved.text)
    // What changed the page may have been the save of this text.
    if (saveId) void autosave.flush()
    else if (isOld) autosave.reconcile(page)
  }
  watchClicks({ editor, done: exit.done, signal })
  placeCaret(place, { page, fields, editor })
  release()
  const { text, isLeft } = typed()
  if (text) editor?.insert(text)
  if (isLeft) void exit.done()

  /** The text stays as it is, to be drawn anew when it was loaded again. */
  function end(): void {
    const scroller = root.closest<HTMLElement>('.content')
    const top = scroller?.scrollTop ?? 0
    const stay = () => scroller?.scrollTo({ top, behavior: 'instant' })
    if (editor) keepChanges(page.id, editor.leave())
    session.abort()
    unfold(fields.read().title)
    data.isBusy = false
    url.searchParams.delete('edit')
    history.replaceState(history.state, '', outwardUrl(url))
    scroller?.focus({ preventScroll: true })
    stay()
    // What begins before the page is drawn anew begins with what was written, and keeps this drawing.
    data.page = { ...page, ...autosave.base() }
    data.links = links
    data.embed = embed
    context.refresh(() => data.isBusy === true).then(stay, () => {})
  }

  function setLinks(now: Links, embedder: Embedder | undefined): void {
    links = now
    embed = embedder
    editor?.setLinks(now)
  }

  function onChange(): void {
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
    if (context.signal.aborted) return
    app.state.set({ saving: saveMarks[state.name] })
    if (signal.aborted) return
    if (state.name === 'saved' || state.name === 'failed') exit.reset()
    notices.showState(state, savedAt)
  }
}

/** The title as a field, the state of saving beside it, and the text, also of an empty page. */
function unfoldPage(root: HTMLElement, page: Page) {
  const article = root.querySelector<HTMLElement>('.page')!
  const button = root.querySelector<HTMLElement>('#rename')
  const empty = root.querySelector('.page-empty')
  const prose = root.querySelector<HTMLElement>('.page-main > .prose') ?? el('div', { class: 'prose' })
  empty?.replaceWith(prose)
  const title = el('textarea', {
    class: 'page-title-field',
    id: 'edit-title',
    'aria-label': 'Title',
    rows: 1,
    maxlength: 500,
  })
  title.value = page.title
  button?.replaceWith(title)
  const state = el('span', { class: 'save-state', id: 'save-state', 'data-state': 'saved' }, 'Saved')
  root.querySelector('.page-actions')?.prepend(state)
  article.dataset.writing = ''
  return {
    prose,
    title,
    unfold(now: string) {
      if (button) {
        button.textContent = now
        title.replaceWith(button)
      }
      state.remove()
      delete article.dataset.writing
    },
  }
}

/** While the editor measures itself the text is no shorter: the page would scroll. */
function holdHeight({ style, offsetHeight }: HTMLElement): () => void {
  style.setProperty('min-block-size', `${offsetHeight}px`)
  return () => void style.removeProperty('min-block-size')
}

/** Where the editor could not be loaded. */
function plainField(
  prose: HTMLElement,
  page: Page,
  { onChange, signal }: { onChange: () => void; signal: AbortSignal },
): ReturnType<typeof textareaSource> {
  const area = el('textarea', { class: 'edit-plain', id: 'edit-plain', 'aria-label': 'Page text' })
  area.value = page.body
  prose.hidden = true
  prose.after(area)
  area.focus()
  return textareaSource(area, onChange, signal)
}

/** The save status on the tab. */
const saveMarks = {
  saved: null,
  unsaved: 'unsaved',
  saving: 'saving',
  failed: 'error',
  conflict: 'error',
} as const

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

/** Shows what has changed with a save: the title of the window and of the tab, the links of the text. */
async function showSaved(
  saved: SavedPage,
  {
    setLinks,
    autosave,
    pageId,
  }: {
    setLinks: (links: Links, embed: Embedder | undefined) => void
    autosave: Autosave
    pageId: string
  },
  { app, signal }: ViewContext,
): Promise<void> {
  if (signal.aborted) return
  app.state.set({ subject: { entityType: 'page', entityId: pageId, title: saved.title } })
  document.title = `${saved.title} · Void`
  const { here } = app.state.get()
  if (here.title !== saved.title) app.state.set({ here: { ...here, title: saved.title } })
  try {
    const links = await app.api.get<Links>(`${pagePath(pageId)}/links`, { signal })
    const embedder = await loadEmbeds(app.api, pageId, links.links)
    // The links of an earlier version may arrive after those of a later one.
    if (saved.version >= autosave.base().version) setLinks(links, embedder)
  } catch {
    // The text keeps the links that it has.
  }
}
