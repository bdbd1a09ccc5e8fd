import { el } from '../dom.ts'

/** A Space's first letter on its colour. */
export const spaceMark = (name: string): HTMLElement =>
  el('span', { class: 'space-mark', 'aria-hidden': 'true' }, [...name][0]?.toUpperCase())
