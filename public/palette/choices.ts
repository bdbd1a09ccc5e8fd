import { el } from '../dom.ts'
import type { Group } from '../palette.ts'
import type { Entry } from './entries.ts'

/** The list of a combobox: grouped options, one of them chosen. `onDone` runs before an option does. */
export function createChoices(onDone: () => void) {
  const element = el('div', {
    class: 'palette-list',
    id: 'palette-list',
    role: 'listbox',
    'aria-label': 'Found',
  })
  let field: HTMLInputElement | null = null
  let entries: Entry[] = []
  let chosen = 0
  /** The key of what was chosen with the arrows; what comes in later does not move it. */
  let held: string | null = null
  /** Answers are on their way: Enter waits for them. */
  let expecting = false
  let entered = false

  return { element, show, onKey, count, attach, expect }

  function attach(input: HTMLInputElement): void {
    field = input
  }

  function expect(more: boolean): void {
    expecting = more
    if (more) held = null
    if (!more && entered) run(chosen)
  }

  function show(groups: readonly Group[]): void {
    entries = groups.flatMap((group) => group.entries)
    let index = 0
    element.replaceChildren(
      ...groups.map(({ name, entries: options }) =>
        el(
          'div',
          { class: 'palette-group', role: 'group', 'aria-label': name },
          el('div', { class: 'palette-name', 'aria-hidden': 'true' }, name),
          options.map((entry) => option(entry, index++)),
        ),
      ),
    )
    const again = held === null ? -1 : entries.findIndex(({ key }) => key === held)
    choose(again === -1 ? 0 : again)
    if (entered && entries[0] && !expecting) run(chosen)
  }

  function option(entry: Entry, index: number): HTMLElement {
    return el(
      'div',
      {
        class: 'palette-option',
        role: 'option',
        id: `palette-${index}`,
        onclick: () => run(index),
        onpointermove: () => chosen !== index && choose(index),
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
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6 }
    const step = steps[event.key]
    if (step && entries.length > 0) {
      const wrap = Math.abs(step) === 1
      const to = chosen + step
      move(wrap ? (to + entries.length) % entries.length : Math.min(entries.length - 1, Math.max(0, to)))
    } else if (event.key === 'Enter') {
      if (expecting && held === null) entered = true
      else run(chosen)
    } else return
    event.preventDefault()
  }

  function move(to: number): void {
    choose(to)
    held = entries[to]?.key ?? null
    element.querySelector(`#palette-${to}`)?.scrollIntoView({ block: 'nearest' })
  }

  function run(index: number): void {
    const entry = entries[index]
    entered = false
    if (!entry) return
    onDone()
    entry.run()
  }

  function count(): string {
    return entries.length === 1 ? 'One result' : `${entries.length} results`
  }
}
