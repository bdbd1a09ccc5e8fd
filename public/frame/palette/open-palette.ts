import type { App } from '../../app/app.ts'
import { bufferKeys } from '../../app/buffer-keys.ts'

/** Opens the palette, loading its code the first time: keys pressed until then are meant for it. */
export async function openPalette(app: App, event?: Event): Promise<void> {
  event?.preventDefault()
  const opened = new AbortController()
  const typed = bufferKeys(opened.signal)
  try {
    const { showPalette } = await import('./palette.ts')
    const { text, isLeft } = typed()
    if (!isLeft) showPalette(app, text)
  } finally {
    opened.abort()
  }
}
