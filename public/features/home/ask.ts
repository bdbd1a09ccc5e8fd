// The field of Home: a question for the companion, or a note.

import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { composeMessage } from '../../app/actions/conversation.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { keyCaps } from '../../ui/components/key-caps.ts'
import { moodDot, showMood } from '../../ui/components/mood-dot.ts'
import { el } from '../../ui/dom.ts'
import { entityHref } from '../../ui/words/addresses.ts'

const maxTitle = 200

/** Enter asks, with Ctrl or ⌘ it saves a page whose title is the first line. */
export function renderAsk({ app, space, signal }: ViewContext): HTMLElement {
  const field = el('textarea', {
    class: 'ask-field',
    id: 'home-ask',
    rows: 1,
    maxlength: 20_000,
    placeholder: 'Ask, or write a note…',
    'aria-label': 'Ask, or write a note',
    onkeydown(event: KeyboardEvent) {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
      event.preventDefault()
      if (event.ctrlKey || event.metaKey) void saveNote()
      else ask()
    },
  })
  return el(
    'form',
    {
      class: 'ask composer-box',
      onsubmit(event: SubmitEvent) {
        event.preventDefault()
        ask()
      },
    },
    field,
    el(
      'div',
      { class: 'ask-tools' },
      el('button', { class: 'ask-note', type: 'button', onclick: () => saveNote() }, 'Save as note'),
      renderModel({ app, signal }),
      el(
        'span',
        { class: 'ask-keys key-hint' },
        keyCaps('Enter'),
        ' asks ',
        keyCaps('Mod+Enter'),
        ' saves a note',
      ),
      el(
        'button',
        { class: 'send', type: 'submit', title: 'Ask (Enter)', 'aria-label': 'Ask' },
        icon('send'),
      ),
    ),
  )

  function ask(): void {
    const text = field.value.trim()
    if (text === '') return
    field.value = ''
    composeMessage(app, text, { send: true })
  }

  async function saveNote(): Promise<void> {
    const text = field.value.trim()
    if (text === '') return
    const [first = ''] = text.split('\n', 1)
    const rest = first.length > maxTitle ? text : text.slice(first.length).trim()
    try {
      const path = `/api/spaces/${space!.id}/pages`
      const title = first.slice(0, maxTitle).toWellFormed()
      const page = await app.api.post<{ id: string; title: string }>(path, { title, body: rest })
      field.value = ''
      app.toast(`Saved ${quoteShown(page.title)}.`, {
        action: {
          label: 'Open',
          run: () => app.navigate(entityHref(space!.slug, 'page', page.id)!),
        },
      })
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
  }
}

/** The model that answers, with its state; it is chosen in the settings. */
function renderModel({ app, signal }: Pick<ViewContext, 'app' | 'signal'>): HTMLElement {
  const dot = moodDot()
  const name = el('bdi', { class: 'composer-model-name' })
  const onclick = () => app.navigate('/settings/model')
  const button = el(
    'button',
    { class: 'composer-model', type: 'button', onclick },
    dot,
    name,
    icon('chevronDown'),
  )
  const show = () => {
    const { companion, connection } = app.state.get()
    const isOffline = companion?.agent.mode === 'offline'
    button.hidden = !companion
    name.replaceChildren(isOffline ? 'No model' : (companion?.agent.model ?? ''))
    button.setAttribute('title', isOffline ? 'No model. Connect one' : 'Model settings')
    showMood(dot, connection === 'lost' ? 'lost' : isOffline ? 'offline' : 'ready')
  }
  app.state.watch(
    ({ companion, connection }) => `${companion?.agent.model} ${companion?.agent.mode} ${connection}`,
    show,
    signal,
  )
  show()
  return button
}
