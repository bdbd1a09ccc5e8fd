import type { AppContext } from '../../app/app.ts'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { findText } from './find-text.ts'
import { selectedIn } from './passages.ts'

/** Offers to look up the selection, by a button next to it. */
export function addSelectionButton({ app, signal }: AppContext): void {
  let range: Range | null = null
  const button = el(
    'button',
    {
      class: 'button button-small blame-offer',
      type: 'button',
      hidden: true,
      // The selection stays while the button is pressed.
      onpointerdown: (event: PointerEvent) => event.preventDefault(),
      onclick: async () => {
        const target = range
        hide()
        const { lookUpText } = await import('./show-blame.ts')
        lookUpText(app, target)
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

  /** Often called: an attribute that is set again counts as a change to all who watch the document. */
  function hide(): void {
    if (!button.hidden) button.hidden = true
  }
}
