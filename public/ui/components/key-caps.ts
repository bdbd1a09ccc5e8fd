import { el } from '../dom.ts'

const signs: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
}

/** A key as caps: ⌘ K or Ctrl K. */
export function keyCaps(key: string): HTMLElement {
  const mod = /Mac|iP(hone|ad)/.test(globalThis.navigator?.platform ?? '') ? '⌘' : 'Ctrl'
  const caps = key
    .split('+')
    .flatMap((part) => (/^[A-Z]$/.test(part) ? ['Shift', part] : [part]))
    .map((part) => (part === 'Mod' ? mod : (signs[part] ?? (part.length === 1 ? part.toUpperCase() : part))))
  return el(
    'span',
    { class: 'caps' },
    caps.map((cap) => el('kbd', {}, cap)),
  )
}
