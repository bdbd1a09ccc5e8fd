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
  const caps = key.split('+').map((part) => (part === 'Mod' ? mod : (signs[part] ?? part.toUpperCase())))
  return el(
    'span',
    { class: 'caps' },
    caps.map((cap) => el('kbd', {}, cap)),
  )
}
