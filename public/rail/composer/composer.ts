import { inBrowser } from '#platform'
import type { AppContext } from '../../app/app.ts'
import type { Subject } from '../../app/app-state.ts'
import { icon } from '../../components/icon.ts'
import { el } from '../../dom.ts'
import { savedText, unsentName } from '../../storage/saved-text.ts'
import type { Addressees } from '../state/conversation-part.ts'
import { createComposerFoot } from './composer-foot.ts'
import { createSubjectLine } from './subject-line.ts'

export type ComposerOptions = {
  spaceId: string
  placeholder: string
  onSend: (text: string, subject: Subject | null) => void
  onStop: () => void
  companions: Addressees
  /** Chooses the model of this thread. */
  onChooseModel: () => void
  /** The last message, for the key that edits it. */
  lastQuestion: () => string | null
}

export type Composer = {
  element: HTMLElement
  /** While an answer is running, Stop replaces Send, unless the field has text. */
  setRunning(running: boolean): void
  setCompanions(companions: Addressees): void
  /** Restores text that could not be sent, unless the field has other text. */
  restore(text: string): void
}

/** The field and the buttons beneath the log. What is typed is stored on this device until it is sent. */
export function createComposer(context: AppContext, options: ComposerOptions): Composer {
  const { spaceId, placeholder, onSend, onStop, lastQuestion } = options
  const subject = createSubjectLine(context)
  const saved = inBrowser ? savedText(`message:${spaceId}`) : null
  const field = el('textarea', {
    class: 'composer-field',
    id: 'composer',
    rows: 1,
    placeholder,
    'aria-label': 'Message to the companion',
    'aria-keyshortcuts': 'Enter',
    oninput: () => fill(field.value),
    onblur: () => foot.hide(),
    onfocus: () => growToFit(field),
    onkeydown: onKey,
  })
  const { send, stop } = renderButtons(onStop)
  const box = el('div', { class: 'composer-box' }, field, send, stop)
  const { onChooseModel } = options
  const foot = createComposerFoot(context.app, { box, field, onPick: fill, onChooseModel })
  let running = false

  if (saved) {
    field.value = saved.read() || savedText(unsentName(spaceId)).read()
    // Its height is known once it is in the page.
    requestAnimationFrame(() => growToFit(field))
  }
  setCompanions(options.companions)
  return {
    element: el('form', { class: 'composer', onsubmit: submit }, subject.element, box, foot.element),
    setCompanions,
    restore(text) {
      if (field.value === '') fill(text)
    },
    setRunning(now) {
      const focused = document.activeElement
      running = now
      stop.hidden = !now
      showSend()
      if (focused === send || focused === stop) field.focus()
    },
  }

  function setCompanions(now: Addressees): void {
    foot.show(now)
    if (saved) foot.complete()
  }

  function submit(event: Event): void {
    event.preventDefault()
    const text = field.value.trim()
    if (text === '') return
    fill('')
    onSend(foot.takeCommand(text) + text, subject.take())
  }

  function fill(text: string): void {
    if (field.value !== text) field.value = text
    saved?.write(text)
    growToFit(field)
    showSend()
    foot.complete()
  }

  function showSend(): void {
    send.hidden = running && field.value.trim() === ''
  }

  function onKey(event: KeyboardEvent): void {
    if (event.isComposing || foot.onKey(event)) return
    if (isSendKey(event)) submit(event)
    const last = event.key === 'ArrowUp' && field.value === '' ? lastQuestion() : null
    if (last === null) return
    event.preventDefault()
    fill(last)
    field.setSelectionRange(last.length, last.length)
  }
}

/** Enter sends; on a touch screen it breaks the line, as its keyboard has no other way to. */
const isSendKey = ({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key === 'Enter' && !shiftKey && (!matchMedia('(pointer: coarse)').matches || ctrlKey || metaKey)

function renderButtons(onStop: () => void) {
  const send = el(
    'button',
    { class: 'send', type: 'submit', title: 'Send (Enter)', 'aria-label': 'Send' },
    icon('send'),
  )
  const stop = el(
    'button',
    {
      class: 'send send-stop',
      type: 'button',
      title: 'Stop (Escape)',
      'aria-label': 'Stop answering',
      hidden: true,
      onclick: onStop,
    },
    icon('stop'),
  )
  return { send, stop }
}

/** As high as its text, up to a third of the window; what is longer scrolls. A hidden field has no height yet. */
function growToFit(field: HTMLTextAreaElement): void {
  field.style.removeProperty('block-size')
  if (field.scrollHeight > 0) field.style.setProperty('block-size', `${field.scrollHeight}px`)
}
