import type { CompanionAgent } from '../../lib/contract/companion/companion.ts'
import type { AppContext } from '../app/app.ts'
import { icon } from '../components/icon.ts'
import { iconButton } from '../components/icon-button.ts'
import { el } from '../dom.ts'

export type HeaderOptions = {
  agent: CompanionAgent
  title: string
  onThreads: (button: HTMLElement) => void
  onNew: () => void
}

export type Header = {
  element: HTMLElement
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

/** Who answers, with their state; the title of the thread, which opens the list of threads. */
export function createHeader(
  { app, signal }: AppContext,
  { agent, title, onThreads, onNew }: HeaderOptions,
): Header {
  const dot = el('span', { class: 'mood', role: 'img' })
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
  let running = false
  showStatus()
  app.state.watch((state) => state.connection, showStatus, signal)

  return {
    element: el(
      'header',
      { class: 'rail-head' },
      el(
        'div',
        { class: 'rail-names' },
        el('h2', { class: 'rail-name' }, dot, agent.name),
        el('span', { class: 'rail-model' }, agent.mode === 'offline' ? 'offline' : agent.model),
        iconButton('New thread', 'plus', onNew),
        iconButton('Hide companion', 'sidebar', () => app.panels.toggleRail(false)),
      ),
      threads,
    ),
    setTitle: (now) => name.replaceChildren(titleText(now)),
    setRunning(now) {
      running = now
      showStatus()
    },
  }

  function showStatus(): void {
    const lost = app.state.get().connection === 'lost'
    const status: Status = lost
      ? 'lost'
      : running
        ? 'working'
        : agent.mode === 'offline'
          ? 'offline'
          : 'ready'
    dot.setAttribute('data-mood', status)
    dot.setAttribute('aria-label', statuses[status])
    dot.setAttribute('title', statuses[status])
  }
}

const titleText = (title: string) => title || 'Untitled thread'
