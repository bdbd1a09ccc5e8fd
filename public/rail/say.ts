import type { App } from '../app.ts'

/** Puts words where the owner writes, after what stands there already, and sends them where that is asked for. */
export function say(app: App, words: string, { send = false } = {}): void {
  app.toggleRail(true)
  const composer = document.querySelector<HTMLTextAreaElement>('#composer')
  if (!composer) return
  composer.value = [composer.value.trim(), words].filter(Boolean).join('\n')
  composer.dispatchEvent(new Event('input', { bubbles: true }))
  composer.focus()
  if (send) composer.form?.requestSubmit()
}
