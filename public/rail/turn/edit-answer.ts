import type { AnswerVersion, Message } from '../../../lib/contract/companion/companion.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { el } from '../../ui/dom.ts'
import { renderMarkdown } from '../../ui/markdown/markdown.ts'
import type { ConversationPart } from '../state/conversation-part.ts'

type EditorOptions = {
  app: Pick<App, 'api' | 'toast' | 'announce'>
  part: ConversationPart | null
  /** Of the message. */
  id: string
  /** The answer, below which the editor stands. */
  element: HTMLElement
}

/** An answer as a field. Saved, it is marked as the owner's; the companion reads it so from then on. */
export async function openAnswerEditor({ app, part, id, element }: EditorOptions): Promise<void> {
  if (element.querySelector('.answer-form')) return
  const body = await currentText(app, part, id)
  if (body === null) return
  const field = el('textarea', {
    class: 'queue-field field',
    id: `answer-${id}`,
    'aria-label': 'Edited answer',
    rows: 8,
    maxlength: 200_000,
    onkeydown: (event: KeyboardEvent) => {
      if (event.isComposing || event.key !== 'Escape') return
      event.stopPropagation()
      form.remove()
    },
  })
  field.value = body
  const form = el(
    'form',
    { class: 'queue-form answer-form', onsubmit: save },
    field,
    el('button', { class: 'button button-small button-primary', type: 'submit' }, 'Save'),
    el(
      'button',
      { class: 'button button-small button-quiet', type: 'button', onclick: () => form.remove() },
      'Cancel',
    ),
  )
  element.append(form)
  field.focus()

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    if (field.value.trim() === '' || form.ariaBusy === 'true') return
    form.ariaBusy = 'true'
    try {
      await app.api.patch<Message>(`/api/messages/${id}`, { body: field.value })
      form.remove()
      app.announce('Answer saved.')
      await part?.reload()
    } catch (error) {
      app.toast(`Could not save the answer. ${messageOf(error)}`, { tone: 'problem' })
    }
    form.ariaBusy = null
  }
}

async function currentText(
  { toast }: Pick<App, 'toast'>,
  part: ConversationPart | null,
  id: string,
): Promise<string | null> {
  const answer = part?.state.get().turns.find(({ answer }) => answer?.id === id)?.answer
  if (!answer) toast('This answer is no longer shown. Reload the thread.', { tone: 'problem' })
  return answer?.text ?? null
}

/** What the companion wrote before the owner edited it. */
export async function showOriginal({
  app,
  slug,
  id,
}: {
  app: Pick<App, 'api' | 'toast'>
  slug: string
  id: string
}): Promise<void> {
  try {
    const { items } = await app.api.get<{ items: AnswerVersion[] }>(`/api/messages/${id}/versions`)
    const original = items[0]
    if (original)
      showDialog({ title: 'Original answer', name: 'original' }, renderMarkdown(original.body, { slug }))
  } catch (error) {
    app.toast(messageOf(error), { tone: 'problem' })
  }
}
