// Looks up where a text came from: by a key, and by a button next to the selection. The code of the dialog is loaded when
// it is first opened.

import type { App, AppContext } from '../app/app.ts'
import { icon } from '../components/icon.ts'
import { el } from '../dom.ts'
import { findText, selectedIn } from './passages.ts'

/** Looks up the selection in the view, or the first visible passage. */
export async function lookUpText(app: App, selected: Range | null = null): Promise<void> {
  const { subject, space } = app.state.get()
  const text = findText(document)
  if (!text || !subject || !space) {
    app.toast('There is no text here to look up.')
    return
  }
  const range = selected ?? selectedIn(text)
  const { showBlame } = await import('./show-blame.ts')
  showBlame(app, { subject, slug: space.slug, text, selected: range })
}

export function startBlame({ app, signal }: AppContext): void {
  app.keys.add(
    [
      {
        key: 'y',
        label: 'Where this came from',
        group: 'Reading',
        run: () => lookUpText(app),
        when: () => findText(document) !== null && document.querySelector('dialog[open]') === null,
      },
    ],
    signal,
  )
  addSelectionButton({ app, signal })
}

function addSelectionButton({ app, signal }: AppContext): void {
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
        void lookUpText(app, asked)
      },
    },
    icon('book'),
    'Where this came from',
  )
  document.querySelector('#content')?.append(button)
  const options = { signal }
  // Once the selection is complete: until then a button would be in its way.
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
  app.state.watch(({ path }) => path, hide, signal)

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
