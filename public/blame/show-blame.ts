// "Why does this say so?": who wrote a passage, shown in a dialog beside the passage that is marked on the page. From
// there the passages before and after it can be asked about, one by one.

import type { Blame } from '../../lib/contract/blame.ts'
import { entityHref, kindNames } from '../addresses.ts'
import { messageOf } from '../api.ts'
import type { App } from '../app.ts'
import { showDialog } from '../components/dialog.ts'
import { icon } from '../components/icon.ts'
import { visible } from '../components/visible.ts'
import { type Child, el } from '../dom.ts'
import type { Subject } from '../view.ts'
import { locatePassage } from './locate-passage.ts'
import { blocksIn, firstInSight, shownAround } from './passages.ts'
import { renderWriter, type WriterContext } from './render-writer.ts'
import { type Wrote, writersOf } from './writers-of.ts'

export type Question = {
  subject: Subject
  slug: string
  /** The rendered text. */
  text: HTMLElement
  /** What is selected of it; `null`: the passage in sight. */
  selected: Range | null
}

const highlightName = 'cited'

export function showBlame(app: App, { subject, slug, text, selected }: Question): void {
  const type = subject.entityType
  if (!(type in kindNames)) return
  const { path } = kindNames[type as keyof typeof kindNames]
  const blocks = blocksIn(text)
  let at = selected ? blocks.findIndex((block) => touches(block, selected)) : firstInSight(blocks)
  let asked = selected ?? blocks[at]
  if (!asked) {
    app.toast('There is no text here to ask about.')
    return
  }

  const quote = el('blockquote', { class: 'blame-quote', dir: 'auto' })
  const answer = el('div', { class: 'blame-answer', 'aria-live': 'polite' })
  const above = stepper('The passage above', 'arrowUp', -1)
  const below = stepper('The passage below', 'arrowDown', 1)
  const dialog = showDialog(
    { title: 'Why does this say so?', name: 'blame', onClose: () => CSS.highlights?.delete(highlightName) },
    quote,
    answer,
    el(
      'div',
      { class: 'blame-foot' },
      above,
      below,
      el('span', { class: 'grow' }),
      el('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, 'Close'),
    ),
  )
  dialog.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('a')) dialog.close()
  })
  const isHistory = type === 'page'
  const context: WriterContext = {
    slug,
    now: app.now(),
    history: isHistory ? `${entityHref(slug, type, subject.entityId)}?history=1` : null,
  }
  let blame: Blame | null = null
  mark(asked)
  void load()

  async function load(): Promise<void> {
    answer.replaceChildren(el('p', { class: 'dim' }, 'Looking through the history …'))
    try {
      blame = await app.api.get<Blame>(`/api/${path}/${encodeURIComponent(subject.entityId)}/blame`)
      tell()
    } catch (error) {
      answer.replaceChildren(
        el('p', { class: 'problem' }, messageOf(error)),
        el('button', { class: 'button', type: 'button', onclick: load }, icon('refresh'), 'Try again'),
      )
    }
  }

  function tell(): void {
    if (!blame || !asked) return
    const place = locatePassage(sourceOf(blame), shownAround(text, asked))
    answer.replaceChildren(
      ...(place
        ? [renderWriters(writersOf(blame, place), context)]
        : [el('p', {}, 'These words are not in the text itself: they are shown from somewhere else.')]),
    )
  }

  function mark(range: Range): void {
    asked = range
    const words = range.toString().trim().replace(/\s+/g, ' ')
    quote.replaceChildren(
      ...[visible(words.length > 280 ? `${words.slice(0, 279)}…` : words)].flat().map(toNode),
    )
    if (CSS.highlights) CSS.highlights.set(highlightName, new Highlight(range))
    const { startContainer: start } = range
    const element = start instanceof Element ? start : start.parentElement
    element?.scrollIntoView({ block: 'center', behavior: 'instant' })
    above.disabled = at <= 0
    below.disabled = at >= blocks.length - 1
  }

  function stepper(label: string, name: 'arrowUp' | 'arrowDown', by: number): HTMLButtonElement {
    const step = () => {
      at += by
      mark(blocks[at]!)
      tell()
    }
    return el(
      'button',
      { class: 'icon-button', type: 'button', title: label, 'aria-label': label, onclick: step },
      icon(name),
    )
  }
}

function renderWriters(wrote: readonly Wrote[], context: WriterContext): HTMLElement {
  const several = wrote.length > 1
  return el(
    'ol',
    { class: 'writers' },
    wrote.map(({ change, words }) => renderWriter(change, several ? words : null, context)),
  )
}

const sourceOf = ({ passages }: Blame): string => passages.map(({ text }) => text).join('')

const toNode = (child: Child): Node | string => (child instanceof Node ? child : String(child ?? ''))

function touches(block: Range, selected: Range): boolean {
  return (
    block.compareBoundaryPoints(Range.END_TO_START, selected) <= 0 &&
    block.compareBoundaryPoints(Range.START_TO_END, selected) >= 0
  )
}
