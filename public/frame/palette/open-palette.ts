import type { App } from '../../app/app.ts'

/** Opens the palette, loading its code the first time. */
export async function openPalette(app: App, event?: Event): Promise<void> {
  event?.preventDefault()
  const opened = new AbortController()
  let typed = ''
  // Keys pressed until it opens are meant for it; on the page behind, a letter may approve a draft.
  const keep = (press: KeyboardEvent) => {
    press.stopImmediatePropagation()
    if (press.key.length !== 1 || press.ctrlKey || press.metaKey || press.altKey || press.isComposing) return
    press.preventDefault()
    typed += press.key
  }
  window.addEventListener('keydown', keep, { capture: true, signal: opened.signal })
  try {
    const { showPalette } = await import('./palette.ts')
    showPalette(app, typed)
  } finally {
    opened.abort()
  }
}
