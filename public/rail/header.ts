import type { CompanionAgent } from '../../lib/contract/companion.ts'
import { icon } from '../components/icon.ts'
import { el } from '../dom.ts'
import type { Living } from '../frame/nav.ts'

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

type Mood = 'ready' | 'working' | 'offline' | 'lost'

const moods: Record<Mood, string> = {
  ready: 'Ready',
  working: 'Answering',
  offline: 'Offline: no model is connected',
  lost: 'No connection to the server',
}

/** Who answers and how they are; the title of the thread, which opens the list of threads. */
export function createHeader(
  { app, signal }: Living,
  { agent, title, onThreads, onNew }: HeaderOptions,
): Header {
  const dot = el('span', { class: 'mood', role: 'img' })
  const name = el('span', { class: 'thread-title' }, shownTitle(title))
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
  showMood()
  app.state.watch((state) => state.connection, showMood, signal)

  return {
    element: el(
      'header',
      { class: 'rail-head' },
      el(
        'div',
        { class: 'rail-names' },
        el('h2', { class: 'rail-name' }, dot, agent.name),
        el('span', { class: 'rail-model' }, agent.mode === 'offline' ? 'offline' : agent.model),
        el(
          'button',
          {
            class: 'icon-button',
            type: 'button',
            title: 'New thread',
            'aria-label': 'New thread',
            onclick: onNew,
          },
          icon('plus'),
        ),
        el(
          'button',
          {
            class: 'icon-button',
            type: 'button',
            title: 'Hide the companion',
            'aria-label': 'Hide the companion',
            onclick: () => app.toggleRail(false),
          },
          icon('sidebar'),
        ),
      ),
      threads,
    ),
    setTitle: (now) => name.replaceChildren(shownTitle(now)),
    setRunning(now) {
      running = now
      showMood()
    },
  }

  function showMood(): void {
    const lost = app.state.get().connection === 'lost'
    const mood: Mood = lost ? 'lost' : running ? 'working' : agent.mode === 'offline' ? 'offline' : 'ready'
    dot.setAttribute('data-mood', mood)
    dot.setAttribute('aria-label', moods[mood])
    dot.setAttribute('title', moods[mood])
  }
}

const shownTitle = (title: string) => title || 'Untitled thread'
