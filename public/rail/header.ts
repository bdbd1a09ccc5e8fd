import { inBrowser } from '#platform'
import type { AppContext } from '../app/app.ts'
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
  setRunning(running: boolean): void
}

type Status = 'ready' | 'working' | 'offline' | 'lost'

const statuses: Record<Status, string> = {
  ready: 'Ready',
  working: 'Answering',
  offline: 'Offline: no model connected',
  lost: 'Connection lost',
}

/** Who answers, with their state, and the way to another companion; the title of the thread, which opens the threads. */
export function createHeader({ app, signal }: AppContext, options: HeaderOptions): Header {
  const { title, onThreads, onNew, onSwitch } = options
  let state = options.state
  let running = false
  const dot = el('span', { class: 'mood', role: 'img' })
  const switcher = el('span', {})
  const model = el('span', { class: 'rail-model' })
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
      el('h2', { class: 'rail-name' }, dot, switcher),
      model,
      iconButton('New thread', 'plus', onNew),
      iconButton('Hide companion', 'sidebar', () => app.panels.toggleRail(false)),
    ),
    threads,
    former,
  )
  show(state)
  app.state.watch(({ connection }) => connection, showStatus, signal)

  return {
    element,
    show,
    setTitle: (now) => name.replaceChildren(titleText(now)),
    setRunning(now) {
      running = now
      showStatus()
    },
  }

  function show(now: HeaderState): void {
    state = now
    const { agent } = state
    switcher.replaceChildren(renderSwitcher(agent.name, () => onSwitch(switcher)))
    model.replaceChildren(agent.mode === 'offline' ? 'offline' : agent.model)
    former.replaceChildren()
    if (inBrowser && state.former_agent_id) showFormer(state)
    element.setAttribute('data-color', agent.color ?? 'violet')
    showStatus()
  }

  async function showFormer(current: HeaderState): Promise<void> {
    const { renderFormer } = await import('./threads/companions.ts')
    if (current === state) former.replaceChildren(renderFormer(current))
  }

  function showStatus(): void {
    const offline = state.agent.mode === 'offline'
    const lost = app.state.get().connection === 'lost'
    const status: Status = lost ? 'lost' : running ? 'working' : offline ? 'offline' : 'ready'
    dot.setAttribute('data-mood', status)
    dot.setAttribute('aria-label', statuses[status])
    dot.setAttribute('title', statuses[status])
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
