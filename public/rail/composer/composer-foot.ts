import { inBrowser } from '#platform'
import type { AppContext } from '../../app/app.ts'
import { icon } from '../../ui/components/icon.ts'
import { moodDot, showMood } from '../../ui/components/mood-dot.ts'
import { el } from '../../ui/dom.ts'
import type { Addressees } from '../state/conversation-part.ts'
import type { MentionList } from './mention-list.ts'
import type { MessageChoices, Taken } from './message-choices.ts'

export type ComposerFootOptions = {
  box: HTMLElement
  field: HTMLTextAreaElement
  /** What stands at its start and at its end. */
  start: readonly HTMLElement[]
  end: readonly HTMLElement[]
  /** Called with the whole text once a name is in it. */
  onPick: (text: string) => void
  onChooseModel: () => void
  /** What `/` offers besides the kinds of answers and the model. */
  attach: () => void
  startThread: () => void
}

const answerKinds = [
  ['', 'Ask'],
  ['quick', 'Quick research'],
  ['standard', 'Research'],
  ['deep', 'Deep research'],
] as const

/**
 * Below the text, in the field: who is asked for this message where that is another companion, and the model of the
 * thread with its state. It also completes `@` in the field.
 */
export function createComposerFoot(
  { app, signal }: AppContext,
  { onChooseModel, start, end, ...options }: ComposerFootOptions,
) {
  let running = false
  const dot = moodDot()
  const kinds = el(
    'select',
    { class: 'composer-research', id: 'research', 'aria-label': 'Answer with' },
    answerKinds.map(([value, label]) => el('option', { value }, label)),
  )
  const addressee = el('span', { class: 'composer-asked', role: 'status' })
  const name = el('bdi', { class: 'composer-model-name' })
  const model = el(
    'button',
    {
      class: 'composer-model',
      type: 'button',
      onclick: () => (isOffline() ? app.navigate('/settings/model') : onChooseModel()),
    },
    dot,
    name,
    icon('chevronDown'),
  )
  const element = el(
    'div',
    { class: 'composer-foot' },
    el('div', { class: 'composer-chips' }, start, kinds, addressee, model),
    el('div', { class: 'composer-end' }, end),
  )
  let mentions: MentionList | null = null
  /** Counts what was typed and what hid the list: one that is late because its code was loaded is not shown any more. */
  let latest = 0
  let choices: MessageChoices | null = null
  if (inBrowser)
    import('./message-choices.ts').then(({ addMessageChoices }) => {
      choices = addMessageChoices(kinds, model)
      choices.showThinking(addressees.agent.thinking)
    })
  let addressees: Addressees
  const isOffline = () => addressees.agent.mode === 'offline'
  app.state.watch(({ connection }) => connection, showState, signal)

  return {
    element,
    show(now: Addressees): void {
      addressees = now
      const { mode, model: id, thinking } = now.agent
      const label = mode === 'offline' ? 'No model. Connect one' : `Model of this thread: ${id}`
      model.setAttribute('aria-label', label)
      model.setAttribute('title', label)
      name.replaceChildren(mode === 'offline' ? 'No model' : id)
      choices?.showThinking(thinking)
      showState()
    },
    setRunning(now: boolean): void {
      running = now
      showState()
    },
    take: (text: string): Taken => choices?.take(text) ?? { text },
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

  function showState(): void {
    const lost = app.state.get().connection === 'lost'
    showMood(dot, lost ? 'lost' : running ? 'working' : isOffline() ? 'offline' : 'ready')
  }

  /** Its code comes with the first `@` or `/`. */
  async function complete(): Promise<void> {
    if (!mentions && !/@|^\//.test(options.field.value)) return
    latest += 1
    const own = latest
    const { createMentionList } = await import('./mention-list.ts')
    mentions ??= createMentionList({ ...options, addressee, app, kinds, chooseModel: onChooseModel })
    if (own === latest) mentions.show(addressees)
  }
}
