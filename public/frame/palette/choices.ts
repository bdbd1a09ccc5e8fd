import { el } from '../../ui/dom.ts'
import type { Entry, Group } from './entries.ts'

export type Choices = {
  element: HTMLElement
  /** The field that has the focus while the list is used. */
  attach(input: HTMLInputElement): void
  show(groups: readonly Group[]): void
  /** Whether results are still loading: Enter waits for them. */
  expect(more: boolean): void
  onKey(event: KeyboardEvent): void
  /** The number of results, as text. */
  count(): string
}

/** The list of a combobox: grouped options, one of them chosen. `onDone` runs before an option does. */
export function createChoices(onDone: () => void): Choices {
  const element = el('div', {
    class: 'palette-list',
    id: 'palette-list',
    role: 'listbox',
    'aria-label': 'Results',
  })
  let field: HTMLInputElement | null = null
  let entries: Entry[] = []
  let chosen = 0
  /** The key of the option chosen with the arrows; results that arrive later do not move it. */
  let pendingKey: string | null = null
  let expecting = false
  let entered = false

  return {
    element,
    show,
    onKey,
    count: () => (entries.length === 1 ? '1 result' : `${entries.length} results`),
    attach(input) {
      field = input
    },
    expect(more) {
      expecting = more
      if (more) pendingKey = null
      if (!more && entered) run(chosen)
    },
  }

  function show(groups: readonly Group[]): void {
    entries = groups.flatMap((group) => group.entries)
    const onPoint = (index: number) => chosen !== index && choose(index)
    element.replaceChildren(...renderGroups(groups, { onRun: run, onPoint }))
    const again = pendingKey === null ? -1 : entries.findIndex(({ key }) => key === pendingKey)
    choose(again === -1 ? 0 : again)
    if (entered && entries[0] && !expecting) run(chosen)
  }

  function choose(index: number): void {
    chosen = index
    for (const node of element.querySelectorAll('[role=option]')) {
      node.setAttribute('aria-selected', String(node.id === `palette-${index}`))
    }
    if (entries[index]) field?.setAttribute('aria-activedescendant', `palette-${index}`)
    else field?.removeAttribute('aria-activedescendant')
  }

  function onKey(event: KeyboardEvent): void {
    if (event.isComposing) return
    const to = indexAfter(event.key, chosen, entries.length)
    if (to !== null) {
      choose(to)
      pendingKey = entries[to]?.key ?? null
      element.querySelector(`#palette-${to}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      if (expecting && pendingKey === null) entered = true
      else run(chosen)
    } else return
    event.preventDefault()
  }

  function run(index: number): void {
    const entry = entries[index]
    entered = false
    if (!entry) return
    onDone()
    entry.run()
  }
}

/** The option that a key moves to; single steps wrap around. `null` for other keys. */
function indexAfter(key: string, index: number, count: number): number | null {
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6 }[key]
  if (!step || count === 0) return null
  const to = index + step
  return Math.abs(step) === 1 ? (to + count) % count : Math.min(count - 1, Math.max(0, to))
}

type OptionHandlers = { onRun: (index: number) => void; onPoint: (index: number) => void }

function renderGroups(groups: readonly Group[], handlers: OptionHandlers): HTMLElement[] {
  let index = 0
  return groups.map(({ name, entries }) =>
    el(
      'div',
      { class: 'palette-group', role: 'group', 'aria-label': name },
      el('div', { class: 'palette-name', 'aria-hidden': 'true' }, name),
      entries.map((entry) => renderOption(entry, index++, handlers)),
    ),
  )
}

function renderOption(entry: Entry, index: number, { onRun, onPoint }: OptionHandlers): HTMLElement {
  return el(
    'div',
    {
      class: 'palette-option',
      role: 'option',
      id: `palette-${index}`,
      onclick: () => onRun(index),
      onpointermove: () => onPoint(index),
      // The focus stays in the field.
      onpointerdown: (event: PointerEvent) => event.preventDefault(),
    },
    entry.icon,
    el(
      'span',
      { class: 'palette-words' },
      el('span', { class: 'palette-title' }, entry.title),
      entry.detail && el('span', { class: 'palette-detail' }, entry.detail),
    ),
    entry.hint && el('span', { class: 'palette-hint' }, entry.hint),
  )
}
