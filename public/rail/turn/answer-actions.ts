// What can be done with an answer that has ended. Loaded with the first one.

import type { AttachedFile } from '../../../lib/contract/companion/companion.ts'
import type { Page } from '../../../lib/contract/entities.ts'
import { citedMarkdown } from '../../../lib/core/text/cited/cited-markdown.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { cloneThread } from '../../app/actions/threads.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import { messageOf } from '../../app/api/api.ts'
import { savedText } from '../../app/storage/saved-text.ts'
import { serverUrl } from '../../ui/address.ts'
import { drawIcon, iconButton } from '../../ui/components/icon.ts'
import { renderMenu } from '../../ui/components/menu.ts'
import { el } from '../../ui/dom.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import { fileFace } from '../composer/message-files.ts'
import type { Answer, Turn } from '../state/turn-state.ts'
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
    ...(answer.id ? [answerMenu(context, answer, answer.id, turn.key)] : []),
    ...(answer.edited ? [el('span', { class: 'dim small' }, 'Edited by you')] : []),
  ]

  function answerMenu({ app, slug, part }: TurnContext, { edited }: Answer, id: string, key: string) {
    const download = (format: string) => () =>
      el('a', { href: `/api/messages/${id}/export.${format}`, download: '' }).click()
    const openEditor = async () =>
      (await import('./edit-answer.ts')).openAnswerEditor({ app, part, id, element })
    const showOriginal = async () => (await import('./edit-answer.ts')).showOriginal({ app, slug, id })
    return renderMenu({
      label: 'More actions for this answer',
      id: `more-${key}`,
      items: [
        { label: 'Edit answer', icon: 'edit', run: openEditor },
        ...(edited ? [{ label: 'Show original', icon: 'restore' as const, run: showOriginal }] : []),
        { label: 'New thread from here', icon: 'companion', run: () => cloneThread(app, { slug }, id) },
        { label: 'Download as Markdown', icon: 'download', run: download('md') },
        { label: 'Download as HTML', icon: 'download', run: download('html') },
      ],
    })
  }
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
    return href ? serverUrl() + href : null
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

// What can be done with a message of the owner: it is edited and sent again, and its other versions are shown.

/** `said` is the element of the message. */
function renderQuestionActions(context: TurnContext, turn: Turn, element: HTMLElement): void {
  for (const old of element.querySelectorAll('.said-actions, .said-page, .said-files')) old.remove()
  element.append(...renderPages(context, turn), ...renderFiles(context, turn))
  const edit = iconButton('Edit message', 'edit', () => openForm(context, turn, element).focus(), {
    id: `edit-${placeOf(turn)}`,
  })
  element.append(el('div', { class: 'said-actions' }, renderVersions(context, turn), edit))
  if (draftOf(turn).read() !== '' && !element.querySelector('form')) openForm(context, turn, element)
}

/** The pages that the message names. */
const renderPages = ({ slug }: TurnContext, { question }: Turn): HTMLElement[] =>
  (question?.pages ?? []).map(({ id, title }) =>
    el('p', { class: 'said-page dim small' }, el('a', { href: entityHref(slug, 'page', id) }, title)),
  )

/** The files that came with it. */
function renderFiles({ slug }: TurnContext, { question }: Turn): HTMLElement[] {
  const { files = [], screenshot } = question ?? {}
  if (files.length === 0 && !screenshot) return []
  const shot =
    screenshot &&
    el(
      'li',
      { class: 'file-item' },
      el(
        'a',
        { href: screenshot, target: '_blank', rel: 'noopener' },
        el('img', { class: 'file-picture', src: screenshot, alt: '', loading: 'lazy' }),
        'Screenshot',
      ),
    )
  const item = (file: AttachedFile) =>
    el(
      'li',
      { class: 'file-item' },
      el('a', { href: entityHref(slug, 'source_doc', file.id) }, fileFace(file)),
    )
  return [el('ul', { class: 'said-files', 'aria-label': 'Attached files' }, shot, files.map(item))]
}

function renderVersions({ app, part }: TurnContext, turn: Turn): HTMLElement | null {
  const versions = turn.versions ?? []
  const at = versions.indexOf(turn.id ?? '')
  if (versions.length < 2 || at === -1) return null
  const label = `Version ${at + 1} of ${versions.length}`
  return el(
    'span',
    { class: 'said-versions', role: 'group', 'aria-label': 'Versions of this message' },
    step('Previous version', 'M10 4L6 8l4 4', at - 1),
    el(
      'span',
      {},
      el('span', { class: 'visually-hidden' }, label),
      el('span', { 'aria-hidden': 'true' }, `${at + 1}/${versions.length}`),
    ),
    step('Next version', 'M6 4l4 4-4 4', at + 1),
  )

  function step(name: string, path: string, to: number): HTMLElement {
    const id = versions[to]
    return el(
      'button',
      {
        class: 'icon-button',
        type: 'button',
        id: `${name.split(' ')[0]!.toLowerCase()}-${placeOf(turn)}`,
        title: name,
        'aria-label': name,
        disabled: id === undefined,
        onclick: () => id && show(id, to),
      },
      drawIcon(path),
    )
  }

  async function show(id: string, to: number): Promise<void> {
    if (!part) return
    const change = part.change(() => app.api.post(`/api/turns/${id}/show`))
    change.then(() => app.announce(`Version ${to + 1} of ${versions.length}`)).catch(() => {})
    await toastFailure(app, change)
  }
}

/** An edit that is not sent yet: the thread may be loaded again meanwhile. */
const draftOf = (turn: Turn) => savedText(`edit:${placeOf(turn)}`, sessionStorage)

/** The message as a field, in its place. What is sent begins another version; the answer to this one stays with it. */
function openForm(context: TurnContext, turn: Turn, element: HTMLElement): HTMLTextAreaElement {
  const draft = draftOf(turn)
  const field = el('textarea', {
    class: 'queue-field field',
    id: `edited-${placeOf(turn)}`,
    'aria-label': 'Edited message',
    rows: 3,
    maxlength: 100_000,
    oninput: () => draft.write(field.value),
    onkeydown: onKey,
  })
  field.value = draft.read() || (turn.question?.text ?? '')
  const form = el(
    'form',
    { class: 'queue-form', onsubmit: submit },
    field,
    el('button', { class: 'button button-small button-primary', type: 'submit' }, 'Send'),
    el('button', { class: 'button button-small button-quiet', type: 'button', onclick: close }, 'Cancel'),
  )
  element.classList.add('said-edited')
  element.append(form)
  return field

  function close(): void {
    draft.write('')
    form.remove()
    element.classList.remove('said-edited')
    document.getElementById(`edit-${placeOf(turn)}`)?.focus()
  }

  function onKey(event: KeyboardEvent): void {
    if (event.isComposing) return
    if (event.key === 'Enter' && !event.shiftKey) submit(event)
    if (event.key !== 'Escape') return
    event.stopPropagation()
    close()
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    const text = field.value.trim()
    if (text === '' || form.ariaBusy === 'true') return
    form.ariaBusy = 'true'
    draft.write('')
    // Refused, it stays to be sent again.
    if (!(await sendInPlace(context, turn, text))) draft.write(field.value)
    form.ariaBusy = null
  }
}
