// The state of the model, as a dot beside its name.

import { el } from '../dom.ts'

export type Mood = 'ready' | 'working' | 'offline' | 'lost'

const moods: Record<Mood, string> = {
  ready: 'Ready',
  working: 'Answering',
  offline: 'No model connected',
  lost: 'Connection lost',
}

export const moodDot = (): HTMLElement => el('span', { class: 'mood', role: 'img' })

export function showMood(dot: HTMLElement, mood: Mood): void {
  dot.setAttribute('data-mood', mood)
  dot.setAttribute('aria-label', moods[mood])
  dot.setAttribute('title', moods[mood])
}
