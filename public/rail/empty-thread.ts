import { el } from '../ui/dom.ts'

/** A thread without messages: questions that this Space can answer. */
export function renderEmptyThread(
  spaceName: string,
  questions: readonly string[],
  onAsk: (text: string) => void,
): HTMLElement {
  return el(
    'section',
    { class: 'thread-empty' },
    el('p', { class: 'thread-empty-title' }, `Ask about ${spaceName}`),
    el(
      'p',
      { class: 'dim small' },
      'The companion reads this Space and cites its sources. It changes nothing by itself: you get drafts to approve.',
    ),
    el(
      'ul',
      { class: 'questions' },
      questions.map((question) =>
        el(
          'li',
          {},
          el('button', { class: 'question', type: 'button', onclick: () => onAsk(question) }, question),
        ),
      ),
    ),
  )
}
