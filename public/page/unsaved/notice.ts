import { type Child, el, flatten } from '../../ui/dom.ts'

export type Notice = {
  tone: 'plain' | 'amber' | 'red'
  text: Child
  actions?: readonly { label: string; run: () => void }[]
  /** Beside those that are there, instead of in their place. */
  add?: boolean
}

/** Shows a message with what to do about it above the page. One in red is read out at once. */
export function showNotice(box: HTMLElement, { tone, text, actions = [], add = false }: Notice): HTMLElement {
  const notice = el(
    'div',
    { class: ['page-notice', `page-notice-${tone}`], role: tone === 'red' ? 'alert' : 'status' },
    el('p', {}, text),
    el(
      'div',
      { class: 'row' },
      actions.map(({ label, run }) =>
        el('button', { class: 'button button-small', type: 'button', onclick: run }, label),
      ),
    ),
  )
  if (add) box.append(...flatten([notice]))
  else box.replaceChildren(notice)
  return notice
}
