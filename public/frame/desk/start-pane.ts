// This page as the right pane of another one: it opens what that page asks for, and reports its URL.

import type { AppContext } from '../../app/app.ts'
import { addDeskKeys } from './desk-keys.ts'
import { onMessageFrom, sendToPage, type ToPane } from './pane-link.ts'

export function startPane({ app, signal }: AppContext): void {
  const { state } = app
  const report = () => {
    const { here, subject, saving } = state.get()
    sendToPage({ void: 'at', tab: here, subject, saving })
  }
  state.watch(({ here, saving }) => `${here.href}\n${here.title}\n${saving}`, report, signal)
  document.addEventListener('focusin', () => sendToPage({ void: 'active' }), { signal })
  document.addEventListener('pointerdown', () => sendToPage({ void: 'active' }), { signal })
  addDeskKeys(app.keys, (key) => sendToPage({ void: 'key', key }), signal)
  onMessageFrom<ToPane>(
    () => window.parent,
    ({ href }) => app.navigate(href),
    signal,
  )
  report()
}
