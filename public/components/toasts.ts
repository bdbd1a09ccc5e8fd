import type { ToastOptions } from '../app.ts'
import { el } from '../dom.ts'
import { icon } from './icon.ts'

const plainMs = 5000
const withActionMs = 10_000

/** Short messages at the edge of the page, and what only a screen reader hears. */
export function createToasts() {
  const list = el('div', { class: 'toasts', role: 'region', 'aria-label': 'Messages' })
  const spoken = el('div', { class: 'visually-hidden', 'aria-live': 'polite' })
  document.body.append(list, spoken)

  return {
    /** The button of the newest message that offers something. */
    offer: (): HTMLElement | null => [...list.querySelectorAll<HTMLElement>('.toast-offer')].at(-1) ?? null,

    announce(message: string): void {
      spoken.append(el('p', {}, message))
      // Long enough to be read out; the list must not grow for ever.
      while (spoken.childElementCount > 3) spoken.firstElementChild?.remove()
    },

    toast(message: string, { action, tone = 'plain' }: ToastOptions = {}): void {
      const toast = el(
        'div',
        { class: ['toast', `toast-${tone}`], role: tone === 'problem' ? 'alert' : 'status' },
        el('p', {}, message),
        action &&
          el(
            'button',
            {
              class: 'button button-small toast-offer',
              type: 'button',
              onclick: act,
              'aria-keyshortcuts': 'u',
            },
            action.label,
            el('kbd', { 'aria-hidden': true }, 'U'),
          ),
        el(
          'button',
          { class: 'icon-button', type: 'button', 'aria-label': 'Dismiss', onclick: dismiss },
          icon('close'),
        ),
      )
      let timer = 0
      const wait = () => {
        timer = window.setTimeout(dismiss, action || tone === 'problem' ? withActionMs : plainMs)
      }
      toast.addEventListener('pointerenter', () => clearTimeout(timer))
      toast.addEventListener('focusin', () => clearTimeout(timer))
      toast.addEventListener('pointerleave', wait)
      list.append(toast)
      wait()

      function dismiss(): void {
        clearTimeout(timer)
        toast.remove()
      }

      async function act(): Promise<void> {
        dismiss()
        await action?.run()
      }
    },
  }
}
