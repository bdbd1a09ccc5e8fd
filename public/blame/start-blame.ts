// The ways to ask why a text says so: a key, and a button beside what is selected. The answer's own code comes with the
// first question.

import type { App } from '../app.ts'
import { icon } from '../components/icon.ts'
import { el } from '../dom.ts'
import { findText, selectedIn } from './passages.ts'

/** Asks about what is selected in the view, or about the passage in sight. */
export async function askWhy(app: App, selected: Range | null = null): Promise<void> {
  const { subject, space } = app.state.get()
  const text = findText(document)
  if (!text || !subject || !space) {
    app.toast('Nothing is written here yet that could be asked about.')
    return
  }
  const range = selected ?? selectedIn(text)
  const { showBlame } = await import('./show-blame.ts')
  showBlame(app, { subject, slug: space.slug, text, selected: range })
}

export function startBlame(app: App): void {
  app.keys.add(
    [
      {
        key: 'y',
        label: 'Why does this say so?',
        group: 'A text',
        run: () => askWhy(app),
        when: () => findText(document) !== null && document.querySelector('dialog[open]') === null,
      },
    ],
    app.signal,
  )
  offerBesideSelection(app)
}

function offerBesideSelection(app: App): void {
  let range: Range | null = null
  const button = el(
    'button',
    {
      class: 'button button-small blame-offer',
      type: 'button',
      hidden: true,
      // The selection stays while the button is pressed.
      onpointerdown: (event: PointerEvent) => event.preventDefault(),
      onclick: () => {
        const asked = range
        hide()
        void askWhy(app, asked)
      },
    },
    icon('book'),
    'Why does this say so?',
  )
  document.querySelector('#content')?.append(button)
  const options = { signal: app.signal }
  // Once the selecting is done; while it goes on a button would be in its way.
  for (const type of ['pointerup', 'keyup', 'touchend']) {
    document.addEventListener(type, () => setTimeout(show), options)
  }
  document.addEventListener(
    'selectionchange',
    () => {
      if (getSelection()?.isCollapsed ?? true) hide()
    },
    options,
  )
  document.addEventListener('scroll', hide, { ...options, capture: true, passive: true })
  app.state.watch(({ path }) => path, hide, app.signal)

  function show(): void {
    const text = findText(document)
    range = text && selectedIn(text)
    const content = document.querySelector('#content')
    if (!range || !content || document.querySelector('dialog[open]')) {
      hide()
      return
    }
    if (button.parentElement !== content) content.append(button)
    button.hidden = false
    const rects = range.getClientRects()
    const last = rects[rects.length - 1] ?? range.getBoundingClientRect()
    const { offsetWidth: width, offsetHeight: height } = button
    const left = Math.max(8, Math.min(last.right - width / 2, innerWidth - width - 8))
    const top = Math.min(last.bottom + 8, innerHeight - height - 8)
    button.style.setProperty('left', `${left}px`)
    button.style.setProperty('top', `${top}px`)
  }

  function hide(): void {
    button.hidden = true
  }
}
