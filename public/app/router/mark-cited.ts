// Marks the words that `?cite=` has or the passage that `#passage-3` names, wherever a view shows them, and brings them into
// sight. Uses the browser's highlights, so the nodes stay as they are. Where the words are not shown it says so, and shows the nearest heading.

import { chunkText } from '../../../lib/core/text/chunk.ts'
import { placedWords } from '../../../lib/core/text/words/words.ts'
import { isKind, kindNames } from '../../ui/words/addresses.ts'
import type { App, Subject } from '../app.ts'
import { findCitedPlace } from './cited-place.ts'

const highlightName = 'cited'

export type CitedContext = { app: Pick<App, 'api' | 'toast'>; subject: Subject | null; signal: AbortSignal }

/** `named`: words, or the number of a passage as the search cuts the text. */
export async function markCited(
  root: HTMLElement,
  named: string | number,
  context: CitedContext,
): Promise<void> {
  if (!('highlights' in CSS)) return
  const source = await loadSource(context)
  const cited = typeof named === 'string' ? named : chunkText(source ?? '')[named]?.text
  if (context.signal.aborted || cited === undefined) return
  markIn(root, cited, { source, context, isFirst: true })
  // Formulas and colors of code replace the nodes that the mark is in.
  const again = () => markIn(root, cited, { source, context, isFirst: false })
  root.addEventListener('enriched', again, { signal: context.signal })
}

type Marking = { source: string | null; context: CitedContext; isFirst: boolean }

function markIn(root: HTMLElement, cited: string, { source, context, isFirst }: Marking): void {
  const words = readWords(root)
  const { visible, before, isStored } = findCitedPlace(
    source,
    cited,
    words.map(({ word }) => word),
  )
  if (visible) {
    const stop = /[^\p{L}\p{M}\p{N}\s]*\s*$/u.exec(cited)?.[0].trim() ?? ''
    mark(words, { ...visible, stop, isFirst }, context.signal)
    return
  }
  if (!isFirst) return
  const near = before === null ? null : (words[before]?.start.node.parentElement ?? null)
  headingBefore(root, near)?.scrollIntoView({ block: 'start', behavior: 'instant' })
  sayMissing(root, cited, isStored, context.app)
}

/** The text as it is stored now, of a thing that has one; `null` of others. */
async function loadSource({ app, subject, signal }: CitedContext): Promise<string | null> {
  if (!subject || !isKind(subject.entityType)) return null
  const path = `/api/${kindNames[subject.entityType].path}/${subject.entityId}`
  const row = await app.api.get<{ body?: string; text?: string }>(path, { signal }).catch(() => null)
  return row?.body ?? row?.text ?? null
}

type Point = { node: Text; offset: number }
type ShownWord = { word: string; start: Point; end: Point }

const blocks =
  'address,blockquote,dd,details,div,dl,dt,figure,h1,h2,h3,h4,h5,h6,li,ol,p,pre,section,summary,table,td,th,tr,ul'

/** The words on the screen, in order; one that marks cut in pieces is one word. */
function readWords(root: HTMLElement): ShownWord[] {
  const pieces: { node: Text; at: number }[] = []
  let text = ''
  let block: Element | null = null
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue
    const within = node.parentElement?.closest(blocks) ?? null
    if (within !== block) text += '\n'
    block = within
    pieces.push({ node, at: text.length })
    text += node.data
  }
  let piece = 0
  const pointAt = (position: number): Point => {
    while (pieces[piece + 1] && pieces[piece + 1]!.at <= position) piece += 1
    const { node, at } = pieces[piece]!
    return { node, offset: position - at }
  }
  return placedWords(text).map(({ word, start, end }) => {
    const first = pointAt(start)
    const last = pointAt(end - 1)
    return { word, start: first, end: { node: last.node, offset: last.offset + 1 } }
  })
}

/** `stop`: the signs after the last word, marked where they follow it. */
function mark(
  words: readonly ShownWord[],
  { first, last, stop, isFirst }: { first: number; last: number; stop: string; isFirst: boolean },
  signal: AbortSignal,
): void {
  const [from, to] = [words[first]!.start, words[last]!.end]
  const range = document.createRange()
  range.setStart(from.node, from.offset)
  let end = to.offset
  while (stop.includes(to.node.data[end] ?? ' ')) end += 1
  range.setEnd(to.node, end)
  const highlight = new Highlight(range)
  CSS.highlights.set(highlightName, highlight)
  signal.addEventListener('abort', () => {
    if (CSS.highlights.get(highlightName) === highlight) CSS.highlights.delete(highlightName)
  })
  if (!isFirst) return
  for (let parent = from.node.parentElement; parent; parent = parent.parentElement) {
    if (parent instanceof HTMLDetailsElement) parent.open = true
  }
  from.node.parentElement?.scrollIntoView({ block: 'center', behavior: 'instant' })
}

/** The last heading before an element; the first one without it. */
function headingBefore(root: HTMLElement, element: Element | null): Element | null {
  const headings = [...root.querySelectorAll('h1, h2, h3, h4, h5, h6')]
  if (!element) return headings[0] ?? null
  const isBefore = (heading: Element) =>
    heading.contains(element) ||
    (heading.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  return headings.findLast(isBefore) ?? headings[0] ?? null
}

/** Once: a view that is drawn again after a change has said it. */
function sayMissing(
  root: HTMLElement,
  cited: string,
  isStored: boolean,
  { toast }: CitedContext['app'],
): void {
  if (root.getAttribute('data-cite-missing') === cited) return
  root.setAttribute('data-cite-missing', cited)
  toast(
    isStored
      ? 'The cited words are not visible here. This is the heading above them.'
      : 'The cited words are no longer in this text.',
  )
}
