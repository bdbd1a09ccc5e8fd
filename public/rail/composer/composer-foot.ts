import { inBrowser } from '#platform'
import type { App } from '../../app/app.ts'
import type { AnswerKind } from '../../features/research/stage-line.ts'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import type { Addressees } from '../state/conversation-part.ts'
import type { MentionList } from './mention-list.ts'

export type ComposerFootOptions = {
  box: HTMLElement
  field: HTMLTextAreaElement
  /** Called with the whole text once a name is in it. */
  onPick: (text: string) => void
  onChooseModel: () => void
}

/**
 * Below the field: who is asked for this message where that is another companion, and the model of the thread. It also
 * completes `@` in the field.
 */
export function createComposerFoot(app: App, { onChooseModel, ...options }: ComposerFootOptions) {
  const addressee = el('span', { class: 'composer-asked', role: 'status' })
  const name = el('bdi', { class: 'composer-model-name' })
  const model = el(
    'button',
    { class: 'composer-model', type: 'button', 'aria-haspopup': 'dialog', onclick: onChooseModel },
    name,
    icon('chevronDown'),
  )
  const element = el('div', { class: 'composer-foot' }, addressee, model)
  let mentions: MentionList | null = null
  /** Counts what was typed and what hid the list: one that is late because its code was loaded is not shown any more. */
  let latest = 0
  let kind: AnswerKind | null = null
  if (inBrowser)
    import('../../features/research/answer-research.ts').then(({ addAnswerKind }) => {
      kind = addAnswerKind(element)
    })
  let addressees: Addressees

  return {
    element,
    show(now: Addressees): void {
      addressees = now
      element.setAttribute('data-mode', now.agent.mode)
      model.setAttribute('aria-label', `Model of this thread: ${now.agent.model}`)
      name.replaceChildren(now.agent.model)
    },
    takeCommand: (text: string): string => kind?.take(text) ?? '',
    complete,
    hide(): void {
      latest += 1
      mentions?.hide()
    },
    onKey(event: KeyboardEvent): boolean {
      const isTaken = mentions?.onKey(event) ?? false
      if (isTaken) latest += 1
      return isTaken
    },
  }

  /** Its code comes with the first `@`. */
  async function complete(): Promise<void> {
    if (!mentions && !options.field.value.includes('@')) return
    latest += 1
    const own = latest
    const { createMentionList } = await import('./mention-list.ts')
    mentions ??= createMentionList({ ...options, addressee, app })
    if (own === latest) mentions.show(addressees)
  }
}
