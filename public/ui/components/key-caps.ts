import { el } from '../dom.ts'

const signs: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
}

/** A key as caps: ⌘ K or Ctrl K. */
export const keyCaps = (key: string): HTMLElement =>
  el(
    'span',
    { class: 'caps' },
    capsOf(key).map((cap) => el('kbd', {}, cap)),
  )

/** The same as text. */
export const keyText = (key: string): string => capsOf(key).join(' ')

function capsOf(key: string): string[] {
  const mod = /Mac|iP(hone|ad)/.test(globalThis.navigator?.platform ?? '') ? '⌘' : 'Ctrl'
  return key
    .split('+')
    .flatMap((part) => (/^[A-Z]$/.test(part) ? ['Shift', part] : [part]))
    .map((part) => (part === 'Mod' ? mod : (signs[part] ?? (part.length === 1 ? part.toUpperCase() : part))))
}
