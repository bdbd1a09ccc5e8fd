import { messageOf } from '../api.ts'
import { changeQuery } from '../change-query.ts'
import type { ViewContext } from '../view.ts'
import { mostResults, type SearchData } from './search-data.ts'

const pauseMs = 200

/** Searches while somebody types, and goes through the results by keys. */
export function mountSearch(root: HTMLElement, { query }: SearchData, context: ViewContext): void {
  const { app, signal } = context
  const field = root.querySelector<HTMLInputElement>('#search-field')
  if (!field) return
  // After the router has given the focus to the column.
  if (query === '') queueMicrotask(() => document.activeElement?.matches('body, #content') && field.focus())
  let timer = 0
  const search = (changes: Record<string, string | number | null>) => {
    clearTimeout(timer)
    changeQuery(context, changes).catch((error: unknown) => app.toast(messageOf(error), { tone: 'problem' }))
  }
  const searchTyped = () => search({ q: field.value.trim(), limit: null })
  signal.addEventListener('abort', () => clearTimeout(timer))

  field.addEventListener(
    'input',
    () => {
      clearTimeout(timer)
      timer = window.setTimeout(searchTyped, pauseMs)
    },
    { signal },
  )
  root.querySelector('#search-form')?.addEventListener(
    'submit',
    (event) => {
      event.preventDefault()
      searchTyped()
    },
    { signal },
  )
  root.addEventListener(
    'click',
    ({ target }) => {
      const what = target instanceof Element && target.closest<HTMLElement>('[data-do]')?.dataset.do
      if (what === 'more') search({ limit: mostResults })
      if (what === 'clear') search({ space: null, kind: null, status: null, since: null, limit: null })
    },
    { signal },
  )
  field.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      step(root, 1)
    },
    { signal },
  )
  addKeys(root, field, context)
}

function addKeys(root: HTMLElement, field: HTMLInputElement, { app, signal }: ViewContext): void {
  const group = 'Search'
  app.keys.add(
    [
      { key: '/', label: 'To the field', run: () => field.select(), group },
      { key: 'j', label: 'Next result', run: () => step(root, 1), group },
      { key: 'k', label: 'Result before', run: () => step(root, -1), group },
      { key: 'ArrowDown', label: 'Next result', run: () => step(root, 1), group, within: root },
      { key: 'ArrowUp', label: 'Result before', run: () => step(root, -1), group, within: root },
    ],
    signal,
  )
}

/** To another result; before the first stands the field. */
function step(root: HTMLElement, by: number): void {
  const field = root.querySelector<HTMLElement>('#search-field')
  const links = [...root.querySelectorAll<HTMLElement>('.result-link')]
  const to = links.indexOf(document.activeElement as HTMLElement) + by
  if (to < 0) field?.focus()
  else links[Math.min(to, links.length - 1)]?.focus()
}
