// Where a passage came from: who wrote it, in a dialog beside the passage that is marked on the page. From there the
// passages before and after it can be looked up one by one.

import type { Blame, BlameChange } from '../../../lib/contract/changes/blame.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App, Subject } from '../../app/app.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { icon, iconButton } from '../../ui/components/icon.ts'
import { tooComplex, visible } from '../../ui/components/visible.ts'
import { el, flatten } from '../../ui/dom.ts'
import { entityHref, isKind, kindNames } from '../../ui/words/addresses.ts'
import { findText } from './find-text.ts'
import { locatePassage, type VisibleText } from './locate-passage.ts'
import { blocksIn, firstInSight, selectedIn, shownAround } from './passages.ts'
import { renderWriter, type WriterContext } from './render-writer.ts'

type Question = {
  subject: Subject
  slug: string
  /** The rendered text. */
  text: HTMLElement
  /** The selection in it; `null`: the first visible passage. */
  selected: Range | null
}

const highlightName = 'cited'

function showBlame(app: App, { subject, slug, text, selected }: Question): void {
  if (!isKind(subject.entityType)) return
  const blocks = blocksIn(text)
  let at = selected ? blocks.findIndex((block) => touches(block, selected)) : firstInSight(blocks)
  let range = selected ?? blocks[at]
  if (!range) {
    app.toast('There is no text here to look up.')
    return
  }
  const { entityType: type, entityId: id } = subject
  const quote = el('blockquote', { class: 'blame-quote', dir: 'auto' })
  const answer = createAnswer(app, `/api/${kindNames[type].path}/${encodeURIComponent(id)}/blame`, {
    slug,
    now: app.now(),
    history: type === 'page' ? `${entityHref(slug, type, id)}?history=1` : null,
  })
  const above = iconButton('Previous passage', 'arrowUp', () => step(-1))
  const below = iconButton('Next passage', 'arrowDown', () => step(1))
  const dialog = showDialog(
    { title: 'Where this came from', name: 'blame', onClose: end },
    quote,
    answer.element,
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
  // It grows once the history has loaded.
  const size = new ResizeObserver(place)
  size.observe(dialog)
  addEventListener('resize', place)
  show(range)
  void answer.load()

  function end(): void {
    size.disconnect()
    removeEventListener('resize', place)
    CSS.highlights?.delete(highlightName)
  }

  function place(): void {
    const { offsetWidth: width, offsetHeight: height } = dialog
    const at = { passage: range!.getBoundingClientRect(), text: text.getBoundingClientRect() }
    const { left, top } = placeBeside(at, { width, height }, { width: innerWidth, height: innerHeight })
    dialog.style.setProperty('--left', `${left}px`)
    dialog.style.setProperty('--top', `${top}px`)
  }

  function step(by: number): void {
    at += by
    show(blocks[at]!)
  }

  function show(next: Range): void {
    range = next
    quote.replaceChildren(...renderQuote(range))
    highlight(range)
    place()
    above.disabled = at <= 0
    below.disabled = at >= blocks.length - 1
    answer.show(shownAround(text, range))
  }
}

/** The writers of the passage that is shown last, once the history has loaded. */
function createAnswer(app: App, path: string, context: WriterContext) {
  const element = el('div', { class: 'blame-answer', 'aria-live': 'polite' })
  let blame: Blame | null = null
  let current: VisibleText | null = null
  return { element, load, show }

  async function load(): Promise<void> {
    element.replaceChildren(el('p', { class: 'dim' }, 'Searching the history…'))
    try {
      blame = await app.api.get<Blame>(path)
      draw()
    } catch (error) {
      element.replaceChildren(
        el('p', { class: 'problem' }, messageOf(error)),
        el('button', { class: 'button', type: 'button', onclick: load }, icon('refresh'), 'Try again'),
      )
    }
  }

  function show(next: VisibleText): void {
    current = next
    draw()
  }

  function draw(): void {
    if (!blame || !current) return
    const place = locatePassage(sourceOf(blame), current)
    element.replaceChildren(
      ...(blame.too_complex ? [tooComplex('The history of this text')] : []),
      place
        ? renderWriters(writersOf(blame, place), context)
        : el('p', {}, 'This passage is not part of the text: it is embedded from somewhere else.'),
    )
  }
}

function highlight(range: Range): void {
  if (CSS.highlights) CSS.highlights.set(highlightName, new Highlight(range))
  const { startContainer: start } = range
  const element = start instanceof Element ? start : start.parentElement
  element?.scrollIntoView({ block: 'center', behavior: 'instant' })
}

function renderQuote(range: Range): (Node | string)[] {
  const words = range.toString().trim().replace(/\s+/g, ' ')
  return flatten([visible(words.length > 280 ? `${words.slice(0, 279)}…` : words)])
}

function renderWriters(writers: readonly Writer[], context: WriterContext): HTMLElement {
  const several = writers.length > 1
  return el(
    'ol',
    { class: 'writers' },
    writers.map(({ change, words }) => renderWriter(change, several ? words : null, context)),
  )
}

const sourceOf = ({ passages }: Blame): string => passages.map(({ text }) => text).join('')

function touches(block: Range, selected: Range): boolean {
  return (
    block.compareBoundaryPoints(Range.END_TO_START, selected) <= 0 &&
    block.compareBoundaryPoints(Range.START_TO_END, selected) >= 0
  )
}

type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>

type Size = { width: number; height: number }

const gap = 12

const edge = 8

/**
 * Where a dialog stands next to a passage: right of its text or left of it, where the window has room, else below or
 * above the passage. It covers the passage only where there is room nowhere.
 */
export function placeBeside(
  { passage, text }: { passage: Box; text: Box },
  { width, height }: Size,
  screen: Size,
): { left: number; top: number } {
  const fits = (at: number, size: number, max: number) => at >= edge && at + size + edge <= max
  const within = (at: number, size: number, max: number) => Math.max(edge, Math.min(at, max - size - edge))
  const aside = [text.right + gap, text.left - gap - width].find((at) => fits(at, width, screen.width))
  if (aside !== undefined) return { left: aside, top: within(passage.top, height, screen.height) }
  const over = [passage.bottom + gap, passage.top - gap - height].find((at) =>
    fits(at, height, screen.height),
  )
  if (over !== undefined) return { left: within(passage.left, width, screen.width), top: over }
  return { left: screen.width - width - edge, top: screen.height - height - edge }
}

/** A change and the words of a passage that it wrote; `change` is `null` for words older than the searched history. */
export type Writer = { change: BlameChange | null; words: string }

const maxLength = 160

/** Who wrote a region of a text: each change once, the latest first. White space does not count. */
export function writersOf(
  { passages, changes }: Pick<Blame, 'passages' | 'changes'>,
  { start, end }: { start: number; end: number },
): Writer[] {
  const words = new Map<number | null, string[]>()
  for (const passage of passages) {
    const from = Math.max(start, passage.start)
    const to = Math.min(end, passage.end)
    if (from >= to) continue
    const text = passage.text.slice(from - passage.start, to - passage.start)
    if (!/[\p{L}\p{N}]/u.test(text)) continue
    const written = words.get(passage.seq)
    if (written) written.push(text)
    else words.set(passage.seq, [text])
  }
  return [...words]
    .toSorted(([a], [b]) => (b ?? 0) - (a ?? 0))
    .map(([seq, written]) => ({
      change: changes.find((change) => change.seq === seq) ?? null,
      words: cut(written.map((text) => text.trim().replace(/\s+/g, ' ')).join(' … ')),
    }))
}

const cut = (text: string) => (text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text)

/** Looks up where a text in the view came from: the selection, or the first visible passage. */
export function lookUpText(app: App, selected: Range | null = null): void {
  const { subject, space } = app.state.get()
  const text = findText(document)
  if (!text || !subject || !space) {
    app.toast('There is no text here to look up.')
    return
  }
  showBlame(app, { subject, slug: space.slug, text, selected: selected ?? selectedIn(text) })
}
