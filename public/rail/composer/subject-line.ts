import { type AppContext, activeSubject, type Subject } from '../../app/app.ts'
import { icon, kindIcon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { kindLabel } from '../../ui/words/addresses.ts'

/** The line with the open subject, which is sent with the next message; it can be left out of one. */
export function createSubjectLine({ app, signal }: AppContext) {
  const element = el('div', { class: 'looking' })
  let leftOut: Subject | null = null
  draw()
  app.state.watch(activeSubject, draw, signal)

  return {
    element,
    /** The subject to send with the message. */
    take(): Subject | null {
      const subject = activeSubject(app.state.get())
      const taken = isLeftOut(subject) ? null : subject
      leftOut = null
      draw()
      return taken
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
        el('span', { class: 'visually-hidden' }, 'Looking at '),
        `${kindLabel(subject.entityType)}: ${subject.title}`,
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
