// Completes `@` with the companions of the Space. Loaded with the first `@`. The focus stays in the field, which names the
// active option.

import type { AgentMark } from '../../../lib/contract/agents.ts'
import type { App } from '../../app/app.ts'
import { renderMark } from '../../components/agent-mark.ts'
import { visible } from '../../components/visible.ts'
import { el } from '../../dom.ts'
import type { Addressees } from '../state/conversation-part.ts'
import { findGuest } from './mention.ts'

export type MentionList = {
  /** Shows who fits what is written before the caret; nobody: hides the list. */
  show(companions: Addressees): void
  hide(): void
  /** Whether the key was the list's. */
  onKey(event: KeyboardEvent): boolean
}

export type MentionOptions = Pick<App, 'announce'> & {
  /** Which the list is put over. */
  box: HTMLElement
  field: HTMLTextAreaElement
  /** Says who is asked, where that is another companion than the thread’s. */
  asked: HTMLElement
  /** Called with the whole text once a name is in it. */
  onPick: (text: string) => void
}

const maxShown = 8
const optionId = (index: number) => `mention-${index}`

export function createMentionList({ box, field, asked, onPick, announce }: MentionOptions): MentionList {
  const list = el('ul', {
    class: 'mentions',
    id: 'mentions',
    role: 'listbox',
    'aria-label': 'Companions',
    hidden: true,
  })
  box.append(list)
  field.setAttribute('aria-autocomplete', 'list')
  let found: readonly AgentMark[] = []
  let active = 0
  return { show, hide, onKey }

  function show({ agent, companions }: Addressees): void {
    showAsked(asked, findGuest(field.value, { agent, companions }))
    const query = queryBefore(field)
    const others = companions.filter(({ id }) => id !== agent.id)
    const before = found.length
    found = query === null ? [] : others.filter(({ name }) => startsWith(name, query)).slice(0, maxShown)
    active = 0
    if (found.length === 0) hide()
    else draw()
    if (found.length > 0 && found.length !== before) announce(countOf(found.length))
  }

  function hide(): void {
    found = []
    list.hidden = true
    list.replaceChildren()
    field.removeAttribute('aria-activedescendant')
    field.removeAttribute('aria-controls')
  }

  function onKey(event: KeyboardEvent): boolean {
    if (found.length === 0 || event.shiftKey) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      active = (active + step + found.length) % found.length
      draw()
    } else if (event.key === 'Enter' || event.key === 'Tab') pick(active)
    else if (event.key === 'Escape') hide()
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }

  function draw(): void {
    list.replaceChildren(...found.map((one, at) => renderOption(one, at, active, pick)))
    list.hidden = false
    field.setAttribute('aria-controls', list.id)
    field.setAttribute('aria-activedescendant', optionId(active))
  }

  function pick(index: number): void {
    const companion = found[index]
    const query = queryBefore(field)
    if (!companion || query === null) return
    const caret = field.selectionStart
    const before = `${field.value.slice(0, caret - query.length)}${companion.name} `
    const behind = field.value.slice(caret).replace(/^ /, '')
    hide()
    onPick(before + behind)
    field.setSelectionRange(before.length, before.length)
  }
}

function showAsked(place: HTMLElement, guest: AgentMark | null): void {
  // Read out once, not with every key.
  if (place.dataset.asked === (guest?.id ?? '')) return
  place.dataset.asked = guest?.id ?? ''
  const name = guest && el('bdi', {}, visible(guest.name))
  place.replaceChildren(
    ...(guest ? [renderMark(guest), el('span', {}, 'Asks ', name, ' for this message')] : []),
  )
}

function renderOption(
  companion: AgentMark,
  index: number,
  active: number,
  pick: (index: number) => void,
): HTMLElement {
  return el(
    'li',
    {
      class: 'menu-item',
      id: optionId(index),
      role: 'option',
      'aria-selected': index === active,
      // Before the field loses the focus.
      onmousedown: (event: MouseEvent) => {
        event.preventDefault()
        pick(index)
      },
    },
    renderMark(companion),
    el('bdi', { class: 'grow' }, visible(companion.name)),
  )
}

const countOf = (count: number) => (count === 1 ? '1 companion' : `${count} companions`)

const startsWith = (name: string, query: string) => name.toLowerCase().startsWith(query.toLowerCase())

/** What is written between an `@` and the caret; `null` where there is none. */
function queryBefore({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): string | null {
  if (selectionStart !== selectionEnd) return null
  return /(?:^|\s)@([^@\n]{0,60})$/u.exec(value.slice(0, selectionStart))?.[1] ?? null
}
