import { quoteShown, quoteShownSingly } from '../../../lib/core/text/quote-name.ts'
import type { AppContext, Side, Tab } from '../../app/app.ts'
import type { Store } from '../../app/state.ts'
import { pageUrl } from '../../ui/address.ts'
import { icon } from '../../ui/components/icon.ts'
import { renderMenu } from '../../ui/components/menu.ts'
import { type Child, el } from '../../ui/dom.ts'
import { closeTab, type Desk, focusTab, type Pane, type Place, placeTab, splitTab } from './desk-state.ts'
import { createTabMarks } from './tab-marks.ts'
import { renderTabStrip, type StripActions, tabIcon } from './tab-strip.ts'

/** The strips of both sides, drawn again when the tabs or their marks change. `addTab` opens a new tab on a side. */
export function createTabStrips(
  context: AppContext,
  desk: Store<Desk>,
  addTab: () => void,
): { drawIfChanged(): void } {
  const markOf = createTabMarks(context, desk, draw)
  let drawn: Desk | null = null
  const menus = { left: new AbortController(), right: new AbortController() }

  return {
    // Pressing a tab makes its side the active one; the pressed node must stay, or it could not be dragged.
    drawIfChanged() {
      const { left, right } = desk.get()
      if (left !== drawn?.left || right !== drawn.right) draw()
    },
  }

  function draw(): void {
    drawn = desk.get()
    drawSide('left')
    drawSide('right')
  }

  function drawSide(side: Side): void {
    const old = document.querySelector(`#tabs-${side}`)
    if (!old) return
    const focused = old.contains(document.activeElement) ? document.activeElement?.id : null
    const pane = desk.get()[side]
    const actions = actionsOf(side)
    const strip = renderTabStrip(pane, { side, markOf: (tab) => markOf(tab, side), actions })
    addTabDrag(strip, side, (from, to) => desk.set((all) => placeTab(all, from, to)))
    old.replaceWith(strip)
    menus[side].abort()
    menus[side] = new AbortController()
    const signal = AbortSignal.any([menus[side].signal, context.signal])
    addTabMenu(strip, { side, pane, focus: actions.focus, signal })
    if (focused) document.getElementById(focused)?.focus()
    showCurrentTab(strip)
  }

  function actionsOf(side: Side): StripActions {
    return {
      focus: (index) => desk.set((all) => focusTab(all, side, index)),
      close: (index) => desk.set((all) => closeTab(all, side, index)),
      add() {
        desk.set({ active: side })
        addTab()
      },
      split: () => desk.set((all) => splitTab({ ...all, active: side })),
      titleOf: tabTitle,
      originOf: renderOrigin,
    }
  }
}

/** Makes tabs draggable: a tab moves to the position it is dropped on, or to the end behind all. */
function addTabDrag(strip: HTMLElement, side: Side, onDrop: (from: Place, to: Place) => void): void {
  const type = 'application/x-void-tab'
  const items = [...strip.querySelectorAll('.tab')]
  const at = ({ target }: Event) => items.findIndex((item) => target instanceof Node && item.contains(target))
  const mark = (index: number) => {
    for (const [each, item] of items.entries()) item.toggleAttribute('data-over', each === index)
  }
  strip.addEventListener('dragstart', (event) => event.dataTransfer?.setData(type, `${side} ${at(event)}`))
  strip.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes(type)) return
    event.preventDefault()
    mark(at(event))
  })
  strip.addEventListener('dragleave', () => mark(-1))
  strip.addEventListener('drop', (event) => {
    const [from, index] = event.dataTransfer?.getData(type).split(' ') ?? []
    const to = at(event)
    mark(-1)
    if (from === 'left' || from === 'right')
      onDrop({ side: from, index: Number(index) }, { side, index: to < 0 ? items.length : to })
  })
}

/** The title of a tab, and of one that the companion opened in which thread. */
const tabTitle = ({ title, origin }: Tab): string =>
  origin ? `${quoteShown(title)}, ${originText(origin)}` : quoteShown(title)

/** A link to the call that opened the tab, in its conversation; the tab stays where it is. */
function renderOrigin({ href, origin }: Tab): Child {
  if (!origin) return null
  const url = new URL(href, pageUrl())
  url.searchParams.set('turn', origin.turn)
  if (origin.call) url.searchParams.set('call', origin.call)
  const label = `Show message: ${originText(origin)}`
  return el(
    'a',
    { class: 'tab-origin', href: `${url.pathname}${url.search}`, title: label, 'aria-label': label },
    icon('companion'),
  )
}

const originText = ({ thread }: NonNullable<Tab['origin']>) =>
  `opened by the companion in ${thread ? quoteShownSingly(thread) : 'an untitled thread'}`

type Overflow = {
  side: Side
  pane: Pane
  focus(index: number): void
  signal: AbortSignal
}

/** A menu of all tabs at the end of a strip, while not all of them fit. `signal` ends it. */
function addTabMenu(strip: HTMLElement, { side, pane, focus, signal }: Overflow): void {
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
    if (fits !== menu.hidden) menu.hidden = fits
    showCurrentTab(list)
  })
  observer.observe(strip)
  signal.addEventListener('abort', () => observer.disconnect())
}

/** Brings the tab that is shown into sight as a whole. */
function showCurrentTab(list: HTMLElement): void {
  const tab = list.querySelector('[aria-current]')?.closest('.tab')
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
