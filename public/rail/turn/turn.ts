import { el } from '../../ui/dom.ts'
import type { Turn } from '../state/turn-state.ts'
import { createAnswer } from './answer.ts'
import type { TurnContext } from './turn-context.ts'

export type TurnPart = { element: HTMLElement; update(turn: Turn): void }

/** A question and its answer. `update` touches only what has changed. */
export function createTurn(first: Turn, context: TurnContext): TurnPart {
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
