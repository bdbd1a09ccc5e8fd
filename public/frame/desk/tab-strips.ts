import type { AppContext, Side } from '../../app/app.ts'
import type { Store } from '../../app/state.ts'
import { closeTab, type Desk, focusTab, placeTab, splitTab } from './desk-state.ts'
import { addTabDrag } from './drag-tabs.ts'
import { createTabMarks } from './tab-marks.ts'
import { renderOrigin, tabTitle } from './tab-origin.ts'
import { addTabMenu, showCurrentTab } from './tab-overflow.ts'
import { renderTabStrip, type StripActions } from './tab-strip.ts'

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
