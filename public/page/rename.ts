import type { Page } from '../../lib/contract/entities.ts'
import { messageOf } from '../api.ts'
import { el } from '../dom.ts'
import type { ViewContext } from '../view.ts'
import { changePage } from './change-page.ts'

/** Turns the title into a field. Enter keeps what was typed, Escape the title as it was. */
export function startRename(root: HTMLElement, page: Page, { app, signal, refresh }: ViewContext): void {
  const button = root.querySelector<HTMLButtonElement>('#rename')
  const heading = button?.parentElement
  if (!button || !heading) return
  const field = el('textarea', {
    class: 'page-title-field',
    'aria-label': 'Title',
    rows: 1,
    maxlength: 500,
    onkeydown: (event: KeyboardEvent) => {
      if (event.isComposing) return
      if (event.key === 'Enter') {
        event.preventDefault()
        finish(field.value)
      } else if (event.key === 'Escape') {
        event.preventDefault()
        finish(page.title)
      }
    },
    onblur: () => finish(field.value),
  })
  let over = false
  field.value = page.title
  button.replaceWith(field)
  field.focus()
  field.select()
  // Something else draws the page anew: what was typed counts.
  signal.addEventListener('abort', () => finish(field.value))

  async function finish(value: string): Promise<void> {
    if (over) return
    over = true
    const title = value.replace(/\s+/g, ' ').trim()
    button!.textContent = title || page.title
    if (field.isConnected) field.replaceWith(button!)
    if (!signal.aborted) button!.focus()
    if (title === '' || title === page.title) {
      button!.textContent = page.title
      return
    }
    try {
      const renamed = await changePage(app, page, { title })
      const run = () => undo(renamed)
      app.toast(`Renamed to “${renamed.title}”.`, { action: { label: 'Undo', run } })
      await refresh()
    } catch (error) {
      button!.textContent = page.title
      app.toast(`The page keeps its title; “${title}” was not saved. ${messageOf(error)}`, {
        tone: 'problem',
      })
    }
  }

  async function undo(renamed: Page): Promise<void> {
    try {
      await changePage(app, renamed, { title: page.title })
      await refresh()
    } catch (error) {
      app.toast(`The title stays “${renamed.title}”. ${messageOf(error)}`, { tone: 'problem' })
    }
  }
}
