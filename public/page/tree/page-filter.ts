import type { FoundPage } from '../../../lib/contract/space/pages.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { kindIcon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { entityHref, withQuery } from '../../ui/words/addresses.ts'

const debounceMs = 120

/** Finds pages by title; the results replace the tree while the field has text. */
export function mountPageFilter(
  root: HTMLElement,
  { context, onChange }: { context: ViewContext; onChange: () => void },
) {
  const { app, space, signal } = context
  const field = root.querySelector<HTMLInputElement>('#filter-pages')!
  const list = root.querySelector<HTMLElement>('#found-pages')!
  let timer: ReturnType<typeof setTimeout> | undefined

  field.addEventListener('input', later, { signal })
  field.addEventListener('keydown', onKey, { signal })
  list.addEventListener('keydown', walk, { signal })
  const isOn = () => field.value.trim() !== ''
  return { isOn, focus: () => field.focus() }

  function later(): void {
    clearTimeout(timer)
    timer = setTimeout(show, debounceMs)
  }

  async function show(): Promise<void> {
    const q = field.value.trim()
    list.hidden = q === ''
    onChange()
    if (q === '') return
    try {
      const path = withQuery(`/api/spaces/${space!.id}/page-titles`, { q })
      const { items } = await app.api.get<{ items: FoundPage[] }>(path, { signal })
      if (field.value.trim() !== q) return
      list.replaceChildren(...items.map(row), ...(items.length === 0 ? [nothing(q)] : []))
      app.announce(items.length === 1 ? '1 page' : `${items.length} pages`)
    } catch (error) {
      if (!signal.aborted) list.replaceChildren(el('li', { class: 'problem' }, messageOf(error)))
    }
  }

  function row({ id, title, above }: FoundPage): HTMLElement {
    const path = above.map((page) => page.title).join(' › ')
    return el(
      'li',
      { class: 'row-item' },
      kindIcon('page'),
      el('a', { class: 'row-title', href: entityHref(space!.slug, 'page', id) }, title),
      path && el('span', { class: 'dim small found-path' }, path),
    )
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown') list.querySelector('a')?.focus()
    else if (event.key === 'Escape' && isOn()) {
      field.value = ''
      show()
    } else return
    event.preventDefault()
  }

  function walk(event: KeyboardEvent): void {
    const links = [...list.querySelectorAll('a')]
    const at = links.findIndex((link) => link.matches(':focus'))
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    ;(links[to] ?? (to < 0 ? field : links.at(-1)))?.focus()
  }
}

const nothing = (q: string) => el('li', { class: 'dim' }, `No pages match “${q}”.`)
