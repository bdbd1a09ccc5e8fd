import type { Glance, GlanceMute, GlanceVerdict } from '../../../lib/contract/companion/glance.ts'
import { composeMessage } from '../../app/actions/conversation.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import type { App } from '../../app/app.ts'
import { nudgeName, savedText } from '../../app/storage/saved-text.ts'
import { quoted, visible } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import { entityHref } from '../../ui/words/addresses.ts'

type NudgeOptions = { nudge: Glance; slug: string; onSettled: () => void }

/** What the glance says, what it rests on, and what can be done with it. */
export function renderNudge(app: App, { nudge, slug, onSettled }: NudgeOptions): HTMLElement {
  const { id, message, action_prompt, sender, kind } = nudge
  const button = (label: string, run: () => void, more = '') =>
    el('button', { class: ['button button-small', more], type: 'button', onclick: run }, label)
  return el(
    'section',
    { class: 'nudge', 'aria-label': 'Suggestion' },
    el('p', { class: 'nudge-message', dir: 'auto' }, visible(message ?? '')),
    el(
      'div',
      { class: 'row' },
      action_prompt !== null && button('Draft a reply', () => use(action_prompt), 'button-primary'),
      button('Not now', () => settle('dismissed')),
    ),
    el(
      'details',
      { class: 'nudge-why', id: `why-${id}` },
      el('summary', {}, 'Why'),
      renderEvidence(nudge, slug),
      el(
        'div',
        { class: 'row' },
        sender !== null && button('Never for this sender', () => mute({ type: 'sender', value: sender })),
        kind !== null && button(`Never for ${kindNames[kind]}`, () => mute({ type: 'kind', value: kind })),
      ),
    ),
  )

  function use(prompt: string): void {
    settle('useful')
    savedText(nudgeName(nudge.space_id)).write(id)
    composeMessage(app, prompt)
  }

  function settle(verdict: GlanceVerdict): void {
    onSettled()
    toastFailure(app, app.api.patch(`/api/glances/${id}`, { verdict }))
  }

  function mute(what: GlanceMute): void {
    settle('noise')
    toastFailure(app, app.api.patch(`/api/spaces/${nudge.space_id}/glance-settings`, { mute: what }))
    app.toast('Muted. Manage what is muted in the Space’s settings.')
  }
}

const kindNames: Record<NonNullable<Glance['kind']>, string> = {
  question: 'questions',
  request: 'requests',
  deadline: 'deadlines',
  decision: 'decisions',
  reply: 'replies',
}

const checks =
  'Checked: this is the only stored thread with that subject and sender, it has no answer yet, and the newest message contains these words.'

function renderEvidence({ evidence, sender, note }: Glance, slug: string): Child {
  return [
    evidence.map(({ thread_id, quote }) =>
      el(
        'blockquote',
        { class: 'nudge-quote', dir: 'auto' },
        visible(quote),
        ' ',
        el('a', { href: entityHref(slug, 'mail_thread', thread_id, quote) ?? '' }, 'Open thread'),
      ),
    ),
    el('p', { class: 'dim small' }, sender !== null && ['From ', quoted(sender), '. '], checks),
    note !== null && el('p', { class: 'dim small' }, 'The model’s reason: ', quoted(note, 500)),
  ]
}

/** Puts an element at the top of the composer, again whenever the rail is drawn anew, and removes it at the end. */
export function keepAboveComposer(element: HTMLElement, ended: AbortSignal): void {
  const place = () => {
    if (!element.isConnected) document.querySelector('.composer')?.prepend(element)
  }
  const observer = new MutationObserver(place)
  observer.observe(document.body, { childList: true, subtree: true })
  place()
  ended.addEventListener('abort', () => {
    observer.disconnect()
    element.remove()
  })
}
