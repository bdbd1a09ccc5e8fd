import { inBrowser } from '#platform'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import type { Turn } from '../state/turn-state.ts'
import { createAnswer } from '../turn/answer.ts'
import type { TurnContext } from '../turn/turn-context.ts'
import { createScrollFollower } from './scroll-follower.ts'

export type Log = {
  element: HTMLElement
  show(state: LogState): void
  /** Scrolls to the end and follows it. */
  jump(): void
  /** Scrolls to a turn that is loaded; returns its nodes. */
  reveal(turnId: string): HTMLElement | null
}

type LogState = { turns: readonly Turn[]; more: boolean }

type LogOptions = {
  context: TurnContext
  /** Shown while there are no messages. */
  empty: HTMLElement
  onOlder: () => void
}

/** Turns that are kept as nodes while the reader is at the end; older ones are drawn when they are scrolled to. */
const maxTurnsAtEnd = 60

/** Pixels below the top of the log at which older turns are loaded. */
const loadOlderPx = 400

/**
 * The turns, newest at the bottom. The scroller is a column in reverse, so that it opens at its end before any script
 * has run.
 */
export function createLog({ context, empty, onOlder }: LogOptions): Log {
  const nodes = renderLog(empty, showOlder, jump)
  const { element, scroller, list, older, toEnd } = nodes
  const drawTurns = createTurnDrawer(context)
  const follower = createScrollFollower()
  let first: string | undefined
  let last: string | null = null
  let state: LogState = { turns: [], more: false }

  if (inBrowser) {
    scroller.addEventListener('scroll', onScroll, { passive: true })
    new ResizeObserver(onResize).observe(nodes.inner)
  }
  return { element, show, jump, reveal }

  function show(next: LogState): void {
    state = next
    const { turns, more } = next
    const visible = follower.following ? turns.slice(-maxTurnsAtEnd) : turns
    const prepended = first !== undefined && visible[0]?.key !== first
    first = visible[0]?.key
    const newest = turns.at(-1)
    if (inBrowser && last !== null && newest?.question && newest.key !== last) pin()
    last = newest?.key ?? ''
    placeNodes(list, drawTurns(visible))
    setHidden(empty, turns.length > 0)
    setHidden(older, !(more || visible.length < turns.length))
    if (inBrowser && prepended) follower.prepended(scroller)
  }

  /** What was asked now stands at the top, with room for its answer below. */
  function pin(): void {
    if (!follower.following) return
    list.setAttribute('data-pinned', '')
    follower.pin()
  }

  function onScroll(): void {
    follower.scrolled(scroller)
    toEnd.hidden = follower.following || isEndInView()
    const above = scroller.scrollHeight - scroller.clientHeight + scroller.scrollTop
    if (!follower.following && above < loadOlderPx && !older.hidden) showOlder()
  }

  /** First the turns that are loaded but not drawn, then those of the server. */
  function showOlder(): void {
    follower.leave()
    if (list.childElementCount < state.turns.length) show(state)
    else onOlder()
  }

  function onResize(): void {
    const top = follower.resized(scroller)
    if (Math.abs(top - scroller.scrollTop) > 1) scroller.scrollTop = top
    toEnd.hidden = follower.following || isEndInView()
  }

  function reveal(turnId: string): HTMLElement | null {
    follower.leave()
    show(state)
    const at = state.turns.findIndex(({ id }) => id === turnId)
    const row = list.children[at]
    row?.scrollIntoView({ block: 'start' })
    follower.scrolled(scroller)
    toEnd.hidden = follower.following || isEndInView()
    return row instanceof HTMLElement ? row : null
  }

  /** Below the last words there may be room that is kept for an answer. */
  function isEndInView(): boolean {
    const end = list.lastElementChild?.lastElementChild?.getBoundingClientRect().bottom ?? 0
    return end <= scroller.getBoundingClientRect().bottom + 1
  }

  function jump(): void {
    scroller.scrollTop = follower.jump()
    toEnd.hidden = true
  }
}

function renderLog(empty: HTMLElement, onOlder: () => void, onEnd: () => void) {
  const list = el('div', { class: 'turns' })
  const older = el(
    'button',
    { class: 'button button-small older', type: 'button', hidden: true, onclick: onOlder },
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
    { class: 'to-end', type: 'button', hidden: true, onclick: onEnd },
    icon('arrowDown'),
    'Jump to latest',
  )
  const element = el('div', { class: 'log-place' }, scroller, toEnd)
  return { element, scroller, inner, list, older, toEnd }
}

/** Draws turns, the nodes of those drawn before updated. */
function createTurnDrawer(context: TurnContext): (turns: readonly Turn[]) => HTMLElement[] {
  const parts = new Map<string, TurnPart>()
  return (turns) => {
    const elements = turns.map((turn) => {
      const part = parts.get(turn.key) ?? createTurn(turn, context)
      part.update(turn)
      parts.set(turn.key, part)
      return part.element
    })
    for (const key of parts.keys()) if (!turns.some((turn) => turn.key === key)) parts.delete(key)
    return elements
  }
}

function setHidden(element: HTMLElement, hidden: boolean): void {
  if (inBrowser) element.hidden = hidden
  else if (hidden) element.setAttribute('hidden', '')
}

/** Puts nodes into a list in their order, moving none that is in its place: a moved node loses its focus. */
function placeNodes(list: HTMLElement, nodes: readonly HTMLElement[]): void {
  if (!inBrowser) {
    list.replaceChildren(...nodes)
    return
  }
  const next = new Set<Element>(nodes)
  for (const child of [...list.children]) if (!next.has(child)) child.remove()
  for (const [index, node] of nodes.entries()) {
    if (list.children[index] !== node) list.insertBefore(node, list.children[index] ?? null)
  }
}

type TurnPart = { element: HTMLElement; update(turn: Turn): void }

/** A question and its answer. `update` touches only what has changed. */
function createTurn(first: Turn, context: TurnContext): TurnPart {
  let turn = first
  let isAnswered = false
  const answer = createAnswer(context, first.key)
  const answerSlot = el('div', { class: 'slot' })
  const element = el(
    'article',
    { class: 'turn' },
    turn.question && renderQuestion(turn.question.text),
    answerSlot,
  )
  show()
  return {
    element,
    update(next) {
      if (next === turn) return
      turn = next
      show()
    },
  }

  function show(): void {
    if (!turn.answer) return
    if (!isAnswered) answerSlot.replaceChildren(answer.element)
    isAnswered = true
    answer.show(turn.answer, turn)
  }
}

function renderQuestion(text: string): HTMLElement {
  return el(
    'section',
    { class: 'said said-you' },
    el('h3', { class: 'said-label' }, 'You'),
    el('div', { class: 'said-text' }, text),
  )
}
