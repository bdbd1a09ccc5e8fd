// The companion's column. It is drawn on the server too; the conversation behind it starts in the browser.

import type { App } from '../app/app.ts'
import { icon } from '../ui/components/icon.ts'
import { el } from '../ui/dom.ts'
import { renderThread } from './render-thread.ts'
import { createResizer } from './resizer.ts'
import type { RailContext } from './state/rail-context.ts'

export function renderRail(context: RailContext): HTMLElement {
  const { space, companion } = context.app.state.get()
  return el(
    'aside',
    { class: 'rail', id: 'rail', 'aria-label': 'Companion' },
    createResizer(context),
    renderStrip(context.app, companion?.agent.name ?? 'Companion'),
    el(
      'div',
      { class: 'rail-body' },
      space && companion
        ? renderThread(context, space, companion)
        : el('p', { class: 'thread-empty dim' }, 'Open a Space to ask its companion.'),
    ),
  )
}

/** The strip of the closed rail. */
function renderStrip({ panels }: App, name: string): HTMLElement {
  const label = `Show ${name.toLowerCase()}`
  return el(
    'button',
    {
      class: 'strip',
      type: 'button',
      title: label,
      'aria-label': label,
      onclick: () => panels.toggleRail(true),
    },
    icon('companion'),
    el('span', { class: 'strip-name' }, name),
  )
}
