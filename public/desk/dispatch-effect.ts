import type { Effect } from '../../lib/contract/effects.ts'
import { closeTab, type Desk, findTab, focusTab, openTab, type Side, type Tab } from './desk-state.ts'
import { hrefOfPanel, toTab } from './panel-tab.ts'

/** What an effect comes to. */
export type Dispatched = {
  desk: Desk
  /** What is then shown in a tab: words to be marked, or a newer version. Told after the desk has been arranged. */
  content:
    | { href: string; mark: string }
    | { kind: string; id: string; space_id: string; version: number }
    | null
  /** A sentence for the owner; `null`: nothing is said. */
  notice: string | null
  /** What the owner may do themselves, where the view is not to be moved. */
  link: { href: string; title: string } | null
}

export type DispatchContext = {
  spaces: readonly { id: string; slug: string }[]
  /** Whether the companion may move the view; else what it would show is offered as a link. */
  mayMove: boolean
}

/**
 * Maps an effect to the tabs or to what is in them. Pure: the same desk and effect give the same result. `null` for
 * what the session cannot see or does not know; the caller notes that.
 */
export function dispatchEffect(desk: Desk, effect: Effect, context: DispatchContext): Dispatched | null {
  const nothing: Dispatched = { desk, content: null, notice: null, link: null }
  if (effect.type === 'notify') return { ...nothing, notice: effect.message }
  // The card itself stands in the conversation; there is nothing to arrange.
  if (effect.type === 'confirm') return nothing
  if (!('panel' in effect)) return null

  const tab = toTab(effect.panel, context)
  if (!tab) return null
  const there = findTab(desk, tab.href)
  if (effect.type === 'updateContent') {
    const { panel, version } = effect
    return there && 'kind' in panel ? { ...nothing, content: { ...panel, version } } : nothing
  }
  if (!context.mayMove) {
    const mark = effect.type === 'highlight' ? effect.text : undefined
    const shows = effect.type === 'openPanel' || effect.type === 'focusPanel' || effect.type === 'highlight'
    return shows
      ? { ...nothing, link: { href: hrefOfPanel(effect.panel, context, mark) ?? tab.href, title: tab.title } }
      : nothing
  }

  switch (effect.type) {
    case 'openPanel':
      return { ...nothing, desk: open(desk, tab, effect.side) }
    case 'focusPanel':
      return { ...nothing, desk: there ? focusTab(desk, there.side, there.index) : openTab(desk, tab) }
    case 'closePanel':
      return { ...nothing, desk: there ? closeTab(desk, there.side, there.index) : desk }
    case 'highlight': {
      const arranged = there ? focusTab(desk, there.side, there.index) : openTab(desk, tab)
      return { ...nothing, desk: arranged, content: { href: tab.href, mark: effect.text } }
    }
  }
}

// One that is open where it is wanted stays; one that is open on the other side moves there.
function open(desk: Desk, tab: Tab, where: 'here' | Side): Desk {
  const there = findTab(desk, tab.href)
  if (there && (where === 'here' || there.side === where)) return focusTab(desk, there.side, there.index)
  const side = where === 'here' ? desk.active : where
  const without =
    there && !isAlone(desk, there.side)
      ? { ...closeTab(desk, there.side, there.index), closed: desk.closed }
      : desk
  return openTab(without, tab, side)
}

const isAlone = (desk: Desk, side: Side) => desk[side].tabs.length === 1 && side === 'left'
