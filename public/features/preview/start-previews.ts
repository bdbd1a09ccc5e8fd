// A link in a text shows what it leads to: while the pointer rests on it, or the keyboard has brought the focus there.

import type { AppContext } from '../../app/app.ts'
import { pageUrl, within } from '../../ui/address.ts'
import { type PreviewAim, readAim } from './load-preview.ts'

/** Texts whose links have previews; what is being written has none. */
const linkSelector =
  ':is(.prose, .page-around, .said-companion) a[href]:not(.tag, [target="_blank"], .preview a, .cm-editor a)'

/** Milliseconds that the pointer rests on a link before it is shown, and is away from it before it goes. */
const restMs = 350
const leaveMs = 200

type Shown = { link: Element; hide(): void; holds(target: EventTarget | null): boolean }

export function startPreviews({ app, signal }: AppContext): void {
  let resting: { link: HTMLAnchorElement; timer: ReturnType<typeof setTimeout> } | null = null
  let shown: Shown | null = null
  let leaving: ReturnType<typeof setTimeout> | undefined
  const listen = (type: string, run: (event: Event) => void) =>
    document.addEventListener(type, run, { signal, capture: true, passive: true })

  listen('pointerover', (event) => {
    if (event instanceof PointerEvent && event.pointerType !== 'touch') moveTo(event.target)
  })
  listen('focusin', ({ target }) => {
    if (target instanceof Element && target.matches(':focus-visible')) moveTo(target)
  })
  listen('focusout', (event) => {
    if (event instanceof FocusEvent && !shown?.holds(event.relatedTarget)) hideAll()
  })
  listen('scroll', ({ target }) => {
    if (!shown?.holds(target)) hideAll()
  })
  listen('pointerdown', ({ target }) => {
    if (!shown?.holds(target)) hideAll()
  })
  app.state.watch(({ path }) => path, hideAll, signal)
  document.addEventListener('keydown', onKey, { signal, capture: true })

  function moveTo(target: EventTarget | null): void {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>(linkSelector) : null
    if (link === shown?.link || shown?.holds(target)) {
      clearTimeout(leaving)
      return
    }
    if (link === resting?.link && link !== null) return
    stopResting()
    clearTimeout(leaving)
    if (shown) leaving = setTimeout(hideAll, leaveMs)
    const aim = link && aimOf(link)
    if (aim) resting = { link, timer: setTimeout(() => void show(link, aim), restMs) }
  }

  async function show(link: HTMLAnchorElement, aim: PreviewAim & { slug: string }): Promise<void> {
    const { showPreview } = await import('./show-preview.ts')
    const isWanted = () => resting?.link === link && link.isConnected && !signal.aborted
    const next = await showPreview({ app, signal }, { link, aim, isWanted })
    if (!next) return
    shown?.hide()
    shown = next
    resting = null
    clearTimeout(leaving)
  }

  /** Dismissed alone: what else Escape would leave stays. */
  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape' && shown) event.stopImmediatePropagation()
    if (!['Control', 'Meta', 'Shift', 'Alt'].includes(event.key)) hideAll()
  }

  function stopResting(): void {
    clearTimeout(resting?.timer)
    resting = null
  }

  function hideAll(): void {
    stopResting()
    clearTimeout(leaving)
    // Taken away, it may lose the focus, which hides it again.
    const last = shown
    shown = null
    last?.hide()
  }
}

/** What a link leads to; null for a place on the page that is shown. */
function aimOf(link: HTMLAnchorElement): (PreviewAim & { slug: string }) | null {
  const url = URL.canParse(link.href) ? within(link.href) : null
  return url && url.pathname !== pageUrl().pathname ? readAim(url) : null
}
