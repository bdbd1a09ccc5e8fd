// What can be done with an answer that has ended. Loaded with the first one.

import type { Page } from '../../../lib/contract/entities.ts'
import { citedMarkdown } from '../../../lib/core/text/cited/cited-markdown.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { messageOf } from '../../app/api/api.ts'
import { iconButton } from '../../ui/components/icon.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import type { Answer, Turn } from '../state/turn-state.ts'
import { renderQuestionActions } from './question-actions.ts'
import { placeOf, sendInPlace } from './send-in-place.ts'
import type { TurnContext } from './turn-context.ts'

/** `element` is that of the answer; what can be done with its question goes there. */
export function renderAnswerActions(
  context: TurnContext,
  answer: Answer,
  turn: Turn,
  element: HTMLElement,
): HTMLElement[] {
  const question = element.closest('.turn')?.querySelector<HTMLElement>('.said-you')
  const asksAgain = question && turn.id !== null && answer.research.length === 0
  if (asksAgain) renderQuestionActions(context, turn, question)
  const again = asksAgain && answer.state === 'done' ? [regenerateButton(context, turn)] : []
  if (answer.text.trim() === '') return again
  return [
    iconButton('Copy answer', 'copy', () => void copy(context, answer), { id: `copy-${turn.key}` }),
    ...(answer.id ? [saveButton(context, answer.id, turn.key)] : []),
    ...again,
  ]
}

/** Only the one of the last answer is shown. */
const regenerateButton = (context: TurnContext, turn: Turn): HTMLElement =>
  iconButton('Regenerate', 'refresh', () => void sendInPlace(context, turn, turn.question?.text ?? ''), {
    class: 'icon-button regenerate',
    id: `regenerate-${placeOf(turn)}`,
  })

async function copy({ app, slug }: TurnContext, { text, citations }: Answer): Promise<void> {
  const markdown = citedMarkdown(text, citations, ({ kind, id, cited_text }) => {
    const href = id && entityHref(slug, kind, id, cited_text)
    return href ? new URL(href, location.origin).href : null
  })
  try {
    await navigator.clipboard.writeText(markdown)
    app.toast('Copied as Markdown.')
  } catch {
    // Over plain http there is no clipboard.
    app.toast('The browser does not allow copying here. Select the text and copy it.', { tone: 'problem' })
  }
}

function saveButton({ app, slug }: TurnContext, messageId: string, key: string): HTMLElement {
  const button = iconButton('Save as page', 'page', save, { id: `save-${key}` })
  return button

  async function save(): Promise<void> {
    // Not `disabled`, which would lose the focus.
    if (button.ariaBusy === 'true') return
    button.ariaBusy = 'true'
    try {
      const { id, title } = await app.api.post<Page>(`/api/messages/${messageId}/page`, {})
      const open = () => app.navigate(entityHref(slug, 'page', id)!)
      app.toast(`Saved as page ${quoteShown(title)}.`, { action: { label: 'Open', run: open } })
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
    button.ariaBusy = null
  }
}
