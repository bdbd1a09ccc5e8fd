// This page as the pane beside another one: it goes where that page says, and tells where it is.

import type { App } from '../app.ts'
import { addDeskKeys } from './desk-keys.ts'
import { hear, sendToPage, type ToPane } from './pane-link.ts'

export function startPane(app: App): void {
  const { state, signal } = app
  const tell = () => {
    const { here, subject, saving } = state.get()
    sendToPage({ void: 'at', tab: here, subject, saving })
  }
  state.watch(({ here, saving }) => `${here.href}\n${here.title}\n${saving}`, tell, signal)
  document.addEventListener('focusin', () => sendToPage({ void: 'active' }), { signal })
  document.addEventListener('pointerdown', () => sendToPage({ void: 'active' }), { signal })
  addDeskKeys(app.keys, (key) => sendToPage({ void: 'key', key }), signal)
  hear<ToPane>(
    () => window.parent,
    (message) => (message.void === 'go' ? app.navigate(message.href) : app.openPalette()),
    signal,
  )
  tell()
}
