import { el } from '../dom.ts'
import { icon } from './icon.ts'
import { isolateQuotes } from './visible.ts'

export type ToastOptions = {
  action?: { label: string; run: () => void | Promise<void> }
  tone?: 'plain' | 'problem'
}

const plainMs = 5000
const withActionMs = 10_000

/** Space above and below the messages. */
const gapPx = 8

/**
 * Short messages, one at a time, in a strip below the content that is theirs alone, so that nothing that can be pressed is
 * ever beneath them; and messages for screen readers only.
 */
export function createToasts() {
  const list = el('div', { class: 'toasts', role: 'region', 'aria-label': 'Messages' })
  const spoken = el('div', { class: 'visually-hidden', 'aria-live': 'polite' })
  document.body.append(list, spoken)
  new ResizeObserver(reserve).observe(list)
  window.addEventListener('resize', reserve)

  // In the column of the content, whose lower end is kept free for as long.
  function reserve(): void {
    const { style } = document.documentElement
    const column = document.querySelector('.desk')?.getBoundingClientRect()
    style.setProperty('--toasts-start', `${column?.left ?? 0}px`)
    style.setProperty('--toasts-size', `${column?.width ?? innerWidth}px`)
    style.setProperty('--toasts-end', `${innerHeight - (column?.bottom ?? innerHeight)}px`)
    const { height } = list.getBoundingClientRect()
    style.setProperty('--toasts', height === 0 ? '0px' : `${Math.ceil(height) + 2 * gapPx}px`)
  }

  return {
    /** The button of the newest toast that has an action. */
    lastAction: (): HTMLElement | null =>
      [...list.querySelectorAll<HTMLElement>('.toast-action')].at(-1) ?? null,

    announce(message: string): void {
      spoken.append(el('p', {}, message))
      // Long enough to be read out; the list must not grow without end.
      while (spoken.childElementCount > 3) spoken.firstElementChild?.remove()
    },

    toast(message: string, { action, tone = 'plain' }: ToastOptions = {}): void {
      const toast = el(
        'div',
        { class: ['toast', `toast-${tone}`], role: tone === 'problem' ? 'alert' : 'status' },
        el('p', {}, isolateQuotes(message)),
        action &&
          el(
            'button',
            {
              class: 'button button-small toast-action',
              type: 'button',
              onclick: act,
              'aria-keyshortcuts': 'u',
            },
            action.label,
            el('kbd', { 'aria-hidden': true }, 'Alt U'),
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
      for (const earlier of list.querySelectorAll('.toast')) earlier.remove()
      list.append(toast)
      reserve()
      wait()

      function dismiss(): void {
        clearTimeout(timer)
        toast.remove()
        reserve()
      }

      async function act(): Promise<void> {
        dismiss()
        await action?.run()
      }
    },
  }
}
