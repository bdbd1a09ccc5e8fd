import type { App } from '../app.ts'

/** Adds text to the composer and focuses it; with `send`, sends it. */
export function composeMessage({ panels }: Pick<App, 'panels'>, text: string, { send = false } = {}): void {
  panels.toggleRail(true)
  const composer = document.querySelector<HTMLTextAreaElement>('#composer')
  if (!composer) return
  composer.value = [composer.value.trim(), text].filter(Boolean).join('\n')
  composer.dispatchEvent(new Event('input', { bubbles: true }))
  composer.focus()
  if (send) composer.form?.requestSubmit()
}
