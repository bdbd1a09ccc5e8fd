import { inBrowser } from '#platform'
import { type AppContext, activeSubject, type Subject } from '../../app/app.ts'
import { nudgeName, savedText, unsentName } from '../../app/storage/saved-text.ts'
import { icon, kindIcon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { kindLabel } from '../../ui/words/addresses.ts'
import type { Addressees, Sending } from '../state/conversation-part.ts'
import { createComposerFoot } from './composer-foot.ts'
import { createFileIntake } from './file-intake.ts'

type ComposerOptions = {
  spaceId: string
  placeholder: string
  onSend: (text: string, subject: Subject | null, sending: Sending) => void
  onStop: () => void
  companions: Addressees
  onNew: () => void
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
  /** Restores a message that could not be sent; its text unless the field has other text. */
  restore(text: string, sending: Sending): void
}

/** The field and the buttons beneath the log. What is typed is stored on this device until it is sent. */
export function createComposer(context: AppContext, options: ComposerOptions): Composer {
  const { spaceId, placeholder, onSend, onStop, onNew, onChooseModel, lastQuestion } = options
  const subject = createSubjectLine(context)
  const saved = inBrowser ? savedText(`message:${spaceId}`) : null
  const field = renderField(placeholder, {
    oninput() {
      fill(field.value)
      if (field.value === '') savedText(nudgeName(spaceId)).write('')
    },
    onblur: () => foot.hide(),
    onfocus: () => growToFit(field),
    onkeydown: onKey,
    onpaste: (event: ClipboardEvent) => intake.take(event, event.clipboardData),
  })
  const intake = createFileIntake({ app: context.app, spaceId, onChange: showSend })
  const add = el(
    'button',
    {
      class: 'icon-button composer-attach',
      type: 'button',
      title: 'Add to the message',
      'aria-label': 'Add to the message',
      'aria-haspopup': 'menu',
      onclick: async () => (await import('./add-menu.ts')).openAddMenu(add, { field, fill, ...intake }),
    },
    icon('plus'),
  )
  const { send, stop } = renderButtons(onStop)
  const box = el('div', { class: 'composer-box' }, intake.element, field)
  const foot = createComposerFoot(context, {
    box,
    field,
    start: [add, subject.element],
    end: [send, stop],
    onPick: fill,
    onChooseModel,
    attach: intake.choose,
    startThread: onNew,
  })
  box.append(foot.element)
  let running = false

  if (saved) {
    field.value = saved.read() || savedText(unsentName(spaceId)).read()
    // Its height is known once it is in the page.
    requestAnimationFrame(() => growToFit(field))
  }
  setCompanions(options.companions)
  return {
    element: el(
      'form',
      { class: 'composer', onsubmit: submit, ondragover: intake.over, ondrop: intake.drop },
      box,
    ),
    setCompanions,
    restore(text, { files = [], screenshot }) {
      if (field.value === '') fill(text)
      intake.restore(files, screenshot)
    },
    setRunning(now) {
      const focused = document.activeElement
      running = now
      stop.hidden = !now
      foot.setRunning(now)
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
    if (field.value.trim() === '' && intake.count() === 0) return
    const files = intake.takeFiles()
    if (!files) return
    const screenshot = intake.takeScreenshot()
    const text =
      field.value.trim() || `Attached: ${files.map(({ title }) => title).join(', ') || 'a picture'}`
    fill('')
    const taken = foot.take(text)
    onSend(taken.text, subject.take(), { ...taken, files, screenshot })
  }

  function fill(text: string): void {
    if (field.value !== text) field.value = text
    saved?.write(text)
    growToFit(field)
    showSend()
    foot.complete()
  }

  function showSend(): void {
    send.hidden = running && field.value.trim() === '' && intake.count() === 0
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

const renderField = (placeholder: string, listeners: Parameters<typeof el<'textarea'>>[1]) =>
  el('textarea', {
    class: 'composer-field',
    id: 'composer',
    rows: 1,
    placeholder,
    'aria-label': 'Message to the companion',
    'aria-keyshortcuts': 'Enter',
    ...listeners,
  })

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

/** The line with the open subject, which is sent with the next message; it can be left out of one. */
function createSubjectLine({ app, signal }: AppContext) {
  const element = el('div', { class: 'looking' })
  let leftOut: Subject | null = null
  draw()
  app.state.watch(activeSubject, draw, signal)

  return {
    element,
    /** The subject to send with the message. */
    take(): Subject | null {
      const subject = activeSubject(app.state.get())
      const sendable = isLeftOut(subject) ? null : subject
      leftOut = null
      draw()
      return sendable
    },
  }

  function isLeftOut(subject: Subject | null): boolean {
    return subject !== null && leftOut?.entityId === subject.entityId
  }

  function draw(): void {
    const subject = activeSubject(app.state.get())
    if (!subject || isLeftOut(subject)) {
      element.replaceChildren()
      return
    }
    element.replaceChildren(
      kindIcon(subject.entityType),
      el(
        'span',
        { class: 'looking-title' },
        el('span', { class: 'visually-hidden' }, `Looking at ${kindLabel(subject.entityType)}: `),
        subject.title,
      ),
      el(
        'button',
        {
          class: 'looking-drop',
          type: 'button',
          title: 'Leave out of this message',
          'aria-label': `Leave ${subject.title} out of this message`,
          onclick: leaveOut,
        },
        icon('close'),
      ),
    )
  }

  function leaveOut(): void {
    leftOut = activeSubject(app.state.get())
    draw()
    document.querySelector<HTMLElement>('#composer')?.focus()
  }
}
