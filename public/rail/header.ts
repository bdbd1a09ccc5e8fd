import { inBrowser } from '#platform'
import type { App } from '../app/app.ts'
import { icon, iconButton } from '../ui/components/icon.ts'
import { el } from '../ui/dom.ts'
import type { ConversationState } from './state/conversation-part.ts'

/** Who the thread is with, and who else there is. */
type HeaderState = Pick<ConversationState, 'agent' | 'companions' | 'agents' | 'former_agent_id'>

export type HeaderOptions = {
  state: HeaderState
  title: string
  onThreads: (button: HTMLElement) => void
  onNew: () => void
  /** Puts the menu of companions in place of the button in `slot`. */
  onSwitch: (slot: HTMLElement) => void
}

export type Header = {
  element: HTMLElement
  show(state: HeaderState): void
  setTitle(title: string): void
}

/** The title of the thread, which opens the threads, and where there are several companions the way to another one. */
export function createHeader(app: App, options: HeaderOptions): Header {
  const { title, onThreads, onNew, onSwitch } = options
  let state = options.state
  const switcher = el('span', { class: 'rail-name' })
  const former = el('div', { class: 'slot' })
  const name = el('span', { class: 'thread-title' }, titleText(title))
  const threads = el(
    'button',
    {
      class: 'thread-button',
      type: 'button',
      title: 'Threads',
      'aria-haspopup': 'dialog',
      onclick: () => onThreads(threads),
    },
    name,
    icon('chevronDown'),
  )
  const element = el(
    'header',
    { class: 'rail-head' },
    el(
      'div',
      { class: 'rail-names' },
      el('h2', { class: 'rail-title' }, threads),
      switcher,
      iconButton('New thread', 'compose', onNew),
      iconButton('Hide companion', 'sidebar', () => app.panels.toggleRail(false)),
    ),
    former,
  )
  show(state)

  return {
    element,
    show,
    setTitle: (now) => name.replaceChildren(titleText(now)),
  }

  function show(now: HeaderState): void {
    state = now
    const { agent, companions } = state
    const isAlone = companions.length < 2
    switcher.replaceChildren(isAlone ? '' : renderSwitcher(agent.name, () => onSwitch(switcher)))
    former.replaceChildren()
    if (inBrowser && state.former_agent_id) showFormer(state)
  }

  async function showFormer(current: HeaderState): Promise<void> {
    const { renderFormer } = await import('./threads/companions.ts')
    if (current === state) former.replaceChildren(renderFormer(current))
  }
}

/** Opens a menu, whose code comes with the first click. */
function renderSwitcher(name: string, onClick: () => void): HTMLElement {
  const label = `${name}, switch companion`
  return el(
    'button',
    {
      class: 'menu-face',
      type: 'button',
      title: label,
      'aria-label': label,
      'aria-haspopup': 'menu',
      onclick: onClick,
    },
    el('bdi', { class: 'rail-agent' }, name),
    icon('chevronDown'),
  )
}

const titleText = (title: string) => title || 'Untitled thread'
