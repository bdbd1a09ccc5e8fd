import type { Side } from '../../app/app.ts'
import { renderMenu } from '../../ui/components/menu.ts'
import type { Pane } from './desk-state.ts'
import { tabIcon } from './tab-strip.ts'

type Overflow = {
  side: Side
  pane: Pane
  focus(index: number): void
  signal: AbortSignal
}

/** A menu of all tabs at the end of a strip, while not all of them fit. `signal` ends it. */
export function addTabMenu(strip: HTMLElement, { side, pane, focus, signal }: Overflow): void {
  const list = strip.querySelector<HTMLElement>('.tab-list')
  if (!list) return
  const menu = renderMenu({
    label: 'All tabs',
    id: `all-tabs-${side}`,
    items: pane.tabs.map(({ title, kind }, index) => ({
      label: title,
      icon: tabIcon(kind),
      checked: index === pane.current,
      run() {
        focus(index)
        document.getElementById(`tab-${side}-${index}`)?.focus()
      },
    })),
  })
  menu.hidden = true
  list.after(menu)
  // The menu takes room itself: without it the strip has as much more.
  const observer = new ResizeObserver(() => {
    const room = list.clientWidth + (menu.hidden ? 0 : menu.offsetWidth)
    const fits = list.scrollWidth <= room
    if (fits === menu.hidden) return
    menu.hidden = fits
    showCurrentTab(list)
  })
  observer.observe(strip)
  signal.addEventListener('abort', () => observer.disconnect())
}

/** Brings the tab that is shown into sight as a whole. */
export function showCurrentTab(list: HTMLElement): void {
  const tab = list.querySelector('[aria-current]')?.closest('.tab')
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
