import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import type { Answer } from '../state/turn-state.ts'
import { type Ending, explainEnd } from './explain-end.ts'

/** The status of a running answer, and how it ended where that has to be explained. `onRetry`: null without a question. */
export function renderAnswerEnd(answer: Answer, onRetry: (() => void) | null): HTMLElement[] {
  if (answer.state === 'running')
    return [el('p', { class: 'working' }, answer.note ?? (answer.text === '' ? 'Thinking…' : ''))]
  const ending = explainEnd(answer)
  return ending ? [renderEnding(ending, onRetry)] : []
}

function renderEnding(
  { tone, title, text, retry, settings }: Ending,
  onRetry: (() => void) | null,
): HTMLElement {
  const actions = [
    retry &&
      onRetry &&
      el(
        'button',
        { class: 'button button-small', type: 'button', onclick: onRetry },
        icon('refresh'),
        'Retry',
      ),
    settings !== '' && el('a', { class: 'button button-small', href: settings }, 'Settings'),
  ]
  return el(
    'div',
    { class: ['ending', `ending-${tone}`] },
    el('p', {}, el('strong', {}, title), ' ', text),
    actions.some(Boolean) && el('div', { class: 'row' }, actions),
  )
}
