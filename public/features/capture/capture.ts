// The script of the page for writing a note (capture-page.ts). A note is stored on this device first and sent then, so
// that neither a lost connection nor a closed window loses it.

import { v7 as uuid } from 'uuid'
import type { List } from '../../../lib/contract/list.ts'
import type { Capture } from '../../../lib/contract/space/notes.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { createApi, messageOf } from '../../app/api/api.ts'
import { savedText } from '../../app/storage/saved-text.ts'
import { outward, pageUrl } from '../../ui/address.ts'
import { el } from '../../ui/dom.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import { sendAgain } from './send-again.ts'
import { readClippedHtml, readShared } from './shared-content.ts'
import { registerServiceWorker } from './start-captures.ts'
import {
  createNoteSender,
  type KnownSpace,
  listWaiting,
  readKnownSpaces,
  type Sent,
  sendNote,
  storeChosenSpace,
  storeKnownSpaces,
  storeWaiting,
  type WaitingNote,
} from './waiting-notes.ts'
import { renderWaiting } from './waiting-row.ts'

const find = <Tag extends HTMLElement>(id: string) => document.getElementById(id) as Tag
const form = find<HTMLFormElement>('note')
const text = find<HTMLTextAreaElement>('text')
const title = find<HTMLInputElement>('title')
const spaces = find<HTMLSelectElement>('space')
const kind = find<HTMLSelectElement>('kind')
const save = find<HTMLButtonElement>('save')

const api = createApi()
const send = createNoteSender(api)
const sendNow = sendAgain(async () => {
  const { saved, pending, stopped } = await send()
  showStored(saved)
  showStopped(stopped)
  showWaiting(pending)
  return stopped
})
const draft = savedText('capture')
let shared = readShared(location)
let html: string | null = null

start()

function start(): void {
  const { spaces: storedSpaces, chosen } = readKnownSpaces()
  showSpaces(storedSpaces, chosen)
  showShared()
  text.value = shared.text || (shared.url === null ? draft.read() : '')
  showWaiting(listWaiting().map((note) => ({ note, problem: null })))

  text.addEventListener('input', () => shared.url === null && draft.write(text.value))
  form.addEventListener('submit', submit)
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit(save)
  })
  find('reload').hidden = pageUrl().pathname === '/capture'
  find('reload').addEventListener('click', () => location.reload())
  window.addEventListener('message', takeHtml)
  // The page that is clipped waits for this; it says nothing but that somebody listens.
  window.opener?.postMessage('void-clip-ready', '*')
  text.focus()
  void loadSpaces()
  void sendNow()
  registerServiceWorker()
  document.documentElement.dataset.ready = 'whole'
}

function takeHtml(event: MessageEvent): void {
  const clipped = readClippedHtml(event, { opener: window.opener, url: shared.url })
  if (clipped === null) return
  html = clipped
  // What is selected is in it.
  if (text.value === shared.text) text.value = ''
  showSource()
}

function showShared(): void {
  const isRef = shared.url !== null
  find('titled').hidden = !isRef
  find('kinds').hidden = isRef
  find('heading').textContent = isRef ? 'New reference' : 'New note'
  title.required = isRef
  title.value = shared.title
  text.required = !isRef
  find('text-label').textContent = isRef ? 'Note (optional)' : 'Note'
  find('hint').hidden = isRef
  save.textContent = isRef ? 'Save reference' : 'Save note'
  showSource()
}

function showSource(): void {
  const source = find('source')
  source.hidden = shared.url === null
  source.textContent = `${shared.url} · ${html === null ? 'address only' : 'with the text of the page'}`
}

async function loadSpaces(): Promise<void> {
  try {
    const { items } = await api.get<List<KnownSpace>>('/api/spaces?limit=200')
    storeKnownSpaces(items)
    showSpaces(items, spaces.value || readKnownSpaces().chosen)
  } catch {
    // Those of the last time stay; what sending comes to says why.
  }
}

function showSpaces(choices: readonly KnownSpace[], chosen: string | null): void {
  spaces.replaceChildren(
    ...choices.map(({ id, name }) => el('option', { value: id, selected: id === chosen }, name)),
  )
  spaces.disabled = choices.length === 0
}

async function submit(event: SubmitEvent): Promise<void> {
  event.preventDefault()
  find('problem').textContent = ''
  const space = readKnownSpaces().spaces.find(({ id }) => id === spaces.value)
  if (!space) {
    find('problem').textContent = 'Select a Space. If none is listed, sign in while the server is reachable.'
    return
  }
  if (shared.url === null && text.value.trim() === '') return
  const note = {
    id: uuid(),
    space: { id: space.id, name: space.name },
    capture: await readForm(),
  }
  storeChosenSpace(space.id)
  try {
    storeWaiting(note)
  } catch {
    // There is no room for it here, so it is sent at once, and stays in the form if that fails.
    if (!(await sendUnstored(note))) return
    clear()
    return
  }
  clear()
  await sendNow()
}

async function readForm(): Promise<Capture> {
  if (shared.url !== null) {
    const clip = { kind: 'ref', title: title.value, url: shared.url, text: text.value } as const
    return html === null ? clip : { ...clip, html }
  }
  if (kind.value !== 'task') return { kind: 'page', text: text.value }
  return await readTask(text.value)
}

/** A note as a task: its first line is read as in quick add, with a due date and a priority. */
async function readTask(note: string): Promise<Capture> {
  const { parseQuickTask } = await import('../../app/parse-quick-task.ts')
  const [first = '', ...rest] = note.trim().split('\n')
  const { title, ...fields } = parseQuickTask(first, new Date())
  return { kind: 'task', text: [title, ...rest].join('\n'), ...fields }
}

function clear(): void {
  draft.write('')
  text.value = ''
  shared = { title: '', url: null, text: '' }
  html = null
  history.replaceState(null, '', outward('/capture'))
  showShared()
  text.focus()
}

async function sendUnstored(note: WaitingNote): Promise<boolean> {
  try {
    showStored([{ note, row: await sendNote(api, note) }])
    return true
  } catch (error) {
    find('problem').textContent = `Not saved, and too large to be stored on this device. ${messageOf(error)}`
    return false
  }
}

function showStored(saved: Sent['saved']): void {
  const last = saved.at(-1)
  if (!last) return
  const { spaces } = readKnownSpaces()
  const slug = spaces.find(({ id }) => id === last.note.space.id)?.slug
  const href = slug && entityHref(slug, last.note.capture.kind, last.row.id)
  const words = saved.length === 1 ? `Saved ${quoteShown(last.row.title)}. ` : `Saved ${saved.length} notes. `
  find('result').replaceChildren(words, ...(href ? [el('a', { href }, 'Open')] : []))
}

function showStopped(stopped: Sent['stopped']): void {
  find('offline').hidden = stopped?.status !== 0 && pageUrl().pathname === '/capture'
  const problem = find('problem')
  problem.replaceChildren()
  if (stopped?.status === 401) {
    problem.append(
      el('a', { href: '/sign-in?next=/capture' }, 'Sign in'),
      ' to send the notes stored on this device.',
    )
  } else if (stopped && stopped.status !== 0) problem.append(messageOf(stopped))
}

function showWaiting(pending: Sent['pending']): void {
  renderWaiting(pending, {
    onChange: () => showWaiting(pending.filter(({ note }) => listWaiting().some(({ id }) => id === note.id))),
    edit,
  })
}

/** Brings a note that was refused back into the form. */
function edit({ capture }: WaitingNote): void {
  if (capture.kind === 'ref') {
    shared = { title: capture.title, url: capture.url, text: '' }
    html = capture.html ?? null
  }
  showShared()
  text.value = [text.value, capture.text].filter(Boolean).join('\n\n')
  text.focus()
}
