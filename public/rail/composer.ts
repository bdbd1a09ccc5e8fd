import { inBrowser } from '#platform'
import { kindLabel } from '../addresses.ts'
import { lookedAt } from '../app.ts'
import { icon, kindIcon } from '../components/icon.ts'
import { el } from '../dom.ts'
import { keepDraft, unsentName } from '../drafts.ts'
import type { Living } from '../frame/nav.ts'
import type { Subject } from '../view.ts'

export type ComposerOptions = {
  spaceId: string
  placeholder: string
  onSend: (text: string, subject: Subject | null) => void
  onStop: () => void
  /** What was said last, for the key that brings it back. */
  lastQuestion: () => string | null
}

export type Composer = {
  element: HTMLElement
  /** Stop stands where Send was. */
  setRunning(running: boolean): void
  focus(): void
  /** Puts back what could not be sent, unless something else was typed. */
  restore(text: string): void
}

/** Where the owner writes. What is typed is kept on this device until it is sent. */
export function createComposer({ app, signal }: Living, options: ComposerOptions): Composer {
  const { spaceId, placeholder, onSend, onStop, lastQuestion } = options
  const looking = createLookingAt({ app, signal })
  const draft = inBrowser ? keepDraft(`message:${spaceId}`) : null
  const field = el('textarea', {
    class: 'composer-field',
    id: 'composer',
    rows: 1,
    placeholder,
    'aria-label': 'Message to the companion',
    'aria-keyshortcuts': 'Enter',
    oninput: () => {
      draft?.write(field.value)
      growToFit(field)
      showSend()
    },
    onfocus: () => growToFit(field),
    onkeydown: onKey,
  })
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
      'aria-label': 'Stop the answer',
      hidden: true,
      onclick: onStop,
    },
    icon('stop'),
  )
  const element = el(
    'form',
    { class: 'composer', onsubmit: submit },
    looking.element,
    el('div', { class: 'composer-box' }, field, send, stop),
  )
  let running = false

  if (draft) {
    field.value = draft.read() || keepDraft(unsentName(spaceId)).read()
    // Its height is known once it stands in the page.
    requestAnimationFrame(() => growToFit(field))
  }
  return {
    element,
    focus: () => field.focus(),
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

  function submit(event: Event): void {
    event.preventDefault()
    const text = field.value.trim()
    if (text === '') return
    fill('')
    onSend(text, looking.take())
  }

  function fill(text: string): void {
    field.value = text
    draft?.write(text)
    growToFit(field)
    showSend()
  }

  /** While an answer is written, what is sent waits for its turn: the button is there when there is something to send. */
  function showSend(): void {
    send.hidden = running && field.value.trim() === ''
  }

  function onKey(event: KeyboardEvent): void {
    if (event.isComposing) return
    const coarse = matchMedia('(pointer: coarse)').matches
    if (event.key === 'Enter' && !event.shiftKey && (!coarse || event.ctrlKey || event.metaKey)) submit(event)
    if (event.key === 'ArrowUp' && field.value === '') bringBack(event)
  }

  function bringBack(event: KeyboardEvent): void {
    const last = lastQuestion()
    if (last === null) return
    event.preventDefault()
    fill(last)
    field.setSelectionRange(last.length, last.length)
  }
}

/** As high as its text, up to a third of the window; what is longer scrolls. One that is not shown has no height yet. */
function growToFit(field: HTMLTextAreaElement): void {
  field.style.removeProperty('block-size')
  if (field.scrollHeight > 0) field.style.setProperty('block-size', `${field.scrollHeight}px`)
}

/** The line that says what the companion is told the owner looks at; it can be dropped for one message. */
function createLookingAt({ app, signal }: Living) {
  const element = el('div', { class: 'looking' })
  let dropped: Subject | null = null
  draw()
  app.state.watch(lookedAt, draw, signal)

  return {
    element,
    /** What goes with the message that is sent now. */
    take(): Subject | null {
      const subject = lookedAt(app.state.get())
      const taken = isDropped(subject) ? null : subject
      dropped = null
      draw()
      return taken
    },
  }

  function isDropped(subject: Subject | null): boolean {
    return subject !== null && dropped?.entityId === subject.entityId
  }

  function draw(): void {
    const subject = lookedAt(app.state.get())
    if (!subject || isDropped(subject)) {
      element.replaceChildren()
      return
    }
    element.replaceChildren(
      kindIcon(subject.entityType),
      el(
        'span',
        { class: 'looking-title' },
        el('span', { class: 'visually-hidden' }, 'Looking at '),
        `${kindLabel(subject.entityType)}: ${subject.title}`,
      ),
      el(
        'button',
        {
          class: 'looking-drop',
          type: 'button',
          title: 'Leave out for this message',
          'aria-label': `Leave out ${subject.title} for this message`,
          onclick: drop,
        },
        icon('close'),
      ),
    )
  }

  function drop(): void {
    dropped = lookedAt(app.state.get())
    draw()
    document.querySelector<HTMLElement>('#composer')?.focus()
  }
}
