import { inBrowser } from '#platform'
import { icon } from '../components/icon.ts'
import { el } from '../dom.ts'
import { createScrollFollower } from './scroll-follower.ts'
import { createTurn, type TurnContext, type TurnPart } from './turn.ts'
import type { Turn } from './turn-state.ts'

export type Log = {
  element: HTMLElement
  show(state: LogState): void
  /** Follows the end again, as after saying something. */
  jump(): void
  /** The nodes of a turn among those that are loaded, brought into view. */
  reveal(turnId: string): HTMLElement | null
}

export type LogState = { turns: readonly Turn[]; more: boolean }

export type LogOptions = {
  context: TurnContext
  /** What stands there while nothing has been said. */
  empty: HTMLElement
  onOlder: () => void
}

/** Turns that are kept as nodes while the reader is at the end; older ones are loaded again when they are wanted. */
const mostShown = 60
/** Pixels below the top of the log at which older turns are brought in. */
const nearTop = 400

/**
 * The turns, newest at the bottom. The scroller is a column in reverse, so that it opens at its end before any script
 * has run.
 */
export function createLog({ context, empty, onOlder }: LogOptions): Log {
  const parts = new Map<string, TurnPart>()
  const list = el('div', { class: 'turns' })
  const older = el(
    'button',
    { class: 'button button-small older', type: 'button', hidden: true, onclick: showOlder },
    'Earlier messages',
  )
  const inner = el('div', { class: 'log-inner' }, older, empty, list)
  const scroller = el(
    'div',
    { class: 'log', role: 'log', 'aria-live': 'off', 'aria-label': 'Conversation', tabindex: 0 },
    inner,
  )
  const toEnd = el(
    'button',
    { class: 'to-end', type: 'button', hidden: true, onclick: jump },
    icon('arrowDown'),
    'Jump to latest',
  )
  const element = el('div', { class: 'log-place' }, scroller, toEnd)
  const follower = createScrollFollower()
  let first: string | undefined
  let state: LogState = { turns: [], more: false }

  if (inBrowser) {
    scroller.addEventListener('scroll', onScroll, { passive: true })
    new ResizeObserver(onResize).observe(inner)
  }
  return { element, show, jump, reveal }

  function show(next: LogState): void {
    state = next
    const { turns, more } = next
    const shown = follower.following && turns.length > mostShown ? turns.slice(-mostShown) : turns
    const prepended = first !== undefined && shown[0]?.key !== first
    first = shown[0]?.key
    const nodes = shown.map((turn) => {
      const part = parts.get(turn.key) ?? createTurn(turn, context)
      part.update(turn)
      parts.set(turn.key, part)
      return part.element
    })
    for (const key of parts.keys()) if (!shown.some((turn) => turn.key === key)) parts.delete(key)
    place(list, nodes)
    setHidden(empty, turns.length > 0)
    setHidden(older, !(more || shown.length < turns.length))
    if (inBrowser && prepended) follower.prepended(scroller)
  }

  function onScroll(): void {
    follower.scrolled(scroller)
    toEnd.hidden = follower.following
    const above = scroller.scrollHeight - scroller.clientHeight + scroller.scrollTop
    if (!follower.following && above < nearTop && !older.hidden) showOlder()
  }

  /** What is kept without nodes first, then what the server has. */
  function showOlder(): void {
    follower.leave()
    if (list.childElementCount < state.turns.length) show(state)
    else onOlder()
  }

  function onResize(): void {
    const top = follower.resized(scroller)
    if (Math.abs(top - scroller.scrollTop) > 1) scroller.scrollTop = top
  }

  function reveal(turnId: string): HTMLElement | null {
    follower.leave()
    show(state)
    const turn = state.turns.find(({ id }) => id === turnId)
    const found = (turn && parts.get(turn.key)?.element) ?? null
    found?.scrollIntoView({ block: 'start' })
    follower.scrolled(scroller)
    toEnd.hidden = follower.following
    return found
  }

  function jump(): void {
    scroller.scrollTop = follower.jump()
    toEnd.hidden = true
  }
}

function setHidden(element: HTMLElement, hidden: boolean): void {
  if (inBrowser) element.hidden = hidden
  else if (hidden) element.setAttribute('hidden', '')
}

/** Puts the nodes into the list in their order, moving none that is in its place: a moved node loses its focus. */
function place(list: HTMLElement, nodes: readonly HTMLElement[]): void {
  if (!inBrowser) {
    list.replaceChildren(...nodes)
    return
  }
  const wanted = new Set<Element>(nodes)
  for (const child of [...list.children]) if (!wanted.has(child)) child.remove()
  for (const [index, node] of nodes.entries()) {
    if (list.children[index] !== node) list.insertBefore(node, list.children[index] ?? null)
  }
}
