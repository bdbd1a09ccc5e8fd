// Which blocks of a text are drawn as the page reads, and which are open to be written in: those that the selection
// touches. Only these are lines of the editor; each of the others is a single widget that shows the very nodes of the
// page, so that nothing but the open block can look different. The blocks are read anew when the open one is left, or
// has rested; a change to any other place, such as one from elsewhere, reads all of them.

import {
  Annotation,
  type ChangeDesc,
  type EditorSelection,
  type EditorState,
  Facet,
  type Range,
  StateEffect,
  StateField,
  type Text,
  type Transaction,
} from '@codemirror/state'
import { Decoration, type DecorationSet } from '@codemirror/view'
import { typedBlocksOf } from '../../../../ui/markdown/markdown.ts'
import { BlockWidget, type Drawn, FootWidget, spaceAbove } from './block-widget.ts'
import { softBreaks } from './soft-breaks.ts'

/** Whole lines of the text. `kind`: as marked calls it. */
export type Block = { from: number; to: number; kind: string; drawn: Drawn }

export type Blocks = {
  list: readonly Block[]
  /** Those that are written in. */
  open: ReadonlySet<Drawn>
  /** Where the text begins: behind the properties, and a heading that repeats the title. */
  start: number
  /** The open block has changed since the blocks were read. */
  isStale: boolean
  decorations: DecorationSet
  /** What the caret passes in one step. */
  passed: DecorationSet
  soft: DecorationSet
  /** Height of the footnotes, with the space above them. */
  foot: number
}

/** The open block has rested: its blocks are read anew. */
export const settle = StateEffect.define<null>()

/** Whether the Space shows single line breaks as breaks. */
export const readsBreaks = Facet.define<boolean, boolean>({ combine: (values) => values.includes(true) })

/** A change that its block shows already, as of a cell or a box. */
export const inPlace = Annotation.define<boolean>()

/** Kinds that show nothing in their place. */
export const unseen = /^(?:space|def|footnote-definition)$/

export const blocksField = StateField.define<Blocks>({
  create: (state) => begin(state, { list: [], start: 0, foot: 0 }),
  update: (before, transaction) => next(before, transaction),
})

/** The first state, for blocks whose nodes are on the page. */
export function begin(
  state: EditorState,
  { list, start, foot }: Pick<Blocks, 'list' | 'start' | 'foot'>,
): Blocks {
  const all = tile(list, state.doc, start)
  const open = touched(all, state.selection, new Set())
  return build(state, { list: all, open, start, foot, isStale: false, soft: Decoration.none })
}

/** The blocks of a text from a place on. */
export function readBlocks(text: string, start: number): Omit<Block, 'drawn'>[] {
  const found: Omit<Block, 'drawn'>[] = []
  let at = start
  for (const { type, raw } of typedBlocksOf(text.slice(start))) {
    const lead = /^(?:[ \t]*\n)*/.exec(raw)![0].length
    let length = raw.trimEnd().length
    while (length < raw.length && raw[length] !== '\n') length += 1
    const last = found.at(-1)
    if (type !== 'space' && length > lead) {
      const [from, to] = [at + lead, at + length]
      if (last && !text.slice(last.to, from).includes('\n')) last.to = to
      else found.push({ from, to, kind: type })
    }
    at += raw.length
  }
  return found
}

/** The block at a place, or the next one behind it. */
export function blockAt(list: readonly Block[], at: number): number {
  let [low, high] = [0, list.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle]!.to < at) low = middle + 1
    else high = middle
  }
  return low
}

export const sourceOf = ({ doc }: EditorState, { from, to }: Block): string =>
  doc.sliceString(from, to).trimEnd()

function next(before: Blocks, transaction: Transaction): Blocks {
  const { state, changes, docChanged } = transaction
  let { list, isStale, start } = before
  if (docChanged) {
    start = changes.mapPos(start, -1)
    const isShown = transaction.annotation(inPlace) === true
    if (isShown || isWithin(before, changes)) {
      list = moved(before, changes)
      isStale ||= !isShown
    } else {
      list = readAll(state, start, list)
      isStale = false
    }
  }
  let open = touched(list, state.selection, before.open)
  const settles = transaction.effects.some((effect) => effect.is(settle))
  if (isStale && (settles || !isSame(open, before.open))) {
    list = readAround(state, start, list, before.open)
    isStale = false
    // What is written in when it rests stays open: a table that has just become one would take the next keys with it.
    const kept = settles ? list.map(({ drawn }) => drawn) : [...before.open, ...open]
    open = touched(list, state.selection, new Set(kept))
  }
  if (list === before.list && isSame(open, before.open)) return before
  const soft = before.soft.map(changes)
  const isMoved = isSame(open, before.open) && list.length === before.list.length && docChanged && !settles
  if (!isMoved || !isWithinOrShown(transaction, before))
    return build(state, { list, open, start, isStale, soft, foot: before.foot })
  const decorations = before.decorations.map(changes)
  const passed = before.passed.map(changes)
  return { list, open, start, isStale, soft, decorations, passed, foot: before.foot }
}

const isWithinOrShown = (transaction: Transaction, before: Blocks) =>
  transaction.annotation(inPlace) === true || isWithin(before, transaction.changes)

const isSame = (some: ReadonlySet<Drawn>, others: ReadonlySet<Drawn>) =>
  some.size === others.size && [...some].every((each) => others.has(each))

/** Whether all of a change lies in the open blocks. */
function isWithin({ list, open }: Blocks, changes: ChangeDesc): boolean {
  let is = open.size > 0
  changes.iterChangedRanges((from, to) => {
    const block = list[blockAt(list, from)]
    is &&= block !== undefined && open.has(block.drawn) && block.from <= from && to <= block.to
  })
  return is
}

/** What is put at the edge of a block belongs to it. */
function moved({ list }: Blocks, changes: ChangeDesc): readonly Block[] {
  return list.map((block) => {
    const from = changes.mapPos(block.from, -1)
    const to = changes.mapPos(block.to, 1)
    return from === block.from && to === block.to ? block : { ...block, from, to }
  })
}

/** The last one ends with the text. A text without any has an empty one, to be written in. */
function tile(list: readonly Block[], doc: Text, start: number): readonly Block[] {
  const last = list.at(-1)
  if (!last) return [{ from: start, to: doc.length, kind: 'paragraph', drawn: createDrawn('') }]
  return last.to === doc.length ? list : [...list.slice(0, -1), { ...last, to: doc.length }]
}

function touched(
  list: readonly Block[],
  { ranges }: EditorSelection,
  before: ReadonlySet<Drawn>,
): ReadonlySet<Drawn> {
  const open = new Set<Drawn>()
  for (const { from, to, empty } of ranges) {
    let at = blockAt(list, from)
    // A table is written in by its cells, but while it is being made.
    const isCell = empty && list[at]!.kind === 'table' && !before.has(list[at]!.drawn)
    if (isCell && list[at]!.from <= from) continue
    do open.add(list[at]!.drawn)
    while (++at < list.length && list[at]!.from <= to)
  }
  return open
}

let ids = 0

export function createDrawn(source: string, node: HTMLElement | null = null, height = -1): Drawn {
  ids += 1
  return { id: `block-${ids}`, source, node, isUnseen: false, height }
}

function readAll(state: EditorState, start: number, old: readonly Block[]): readonly Block[] {
  const bySource = new Map<string, Block[]>()
  for (const block of old) {
    const same = bySource.get(block.drawn.source)
    if (same) same.push(block)
    else bySource.set(block.drawn.source, [block])
  }
  const text = state.doc.toString()
  const list = readBlocks(text, start).map((each) => {
    const source = text.slice(each.from, each.to).trimEnd()
    const drawn = bySource.get(source)?.shift()?.drawn ?? createDrawn(source)
    drawn.isUnseen = unseen.test(each.kind)
    return { ...each, drawn }
  })
  return tile(list, state.doc, start)
}

/** Only the blocks that were open, between neighbours that did not change; all of them where these did. */
function readAround(
  state: EditorState,
  start: number,
  list: readonly Block[],
  open: ReadonlySet<Drawn>,
): readonly Block[] {
  const first = list.findIndex(({ drawn }) => open.has(drawn))
  const last = list.findLastIndex(({ drawn }) => open.has(drawn))
  const [above, below] = [list[first - 1], list[last + 1]]
  const from = above?.from ?? start
  const to = below?.to ?? state.doc.length
  if (first < 0 || to - from > 200_000) return readAll(state, start, list)
  const text = state.doc.sliceString(from, to)
  const read = readBlocks(text, 0).map((block) => ({
    ...block,
    from: block.from + from,
    to: block.to + from,
  }))
  const isKept = (one: { from: number; to: number } | undefined, was: Block | undefined) =>
    !was || (one?.from === was.from && (was === list.at(-1) || one.to === was.to))
  if (!isKept(read[0], above) || !isKept(read.at(-1), below)) return readAll(state, start, list)
  const inner = read.slice(above ? 1 : 0, below ? -1 : undefined)
  const old = list.slice(first, last + 1)
  const fresh = inner.map((each) => {
    const source = state.doc.sliceString(each.from, each.to).trimEnd()
    const drawn = old.find((block) => block.drawn.source === source)?.drawn ?? createDrawn(source)
    drawn.isUnseen = unseen.test(each.kind)
    return { ...each, drawn }
  })
  return tile([...list.slice(0, first), ...fresh, ...list.slice(last + 1)], state.doc, start)
}

type Unbuilt = Omit<Blocks, 'decorations' | 'passed'>

function build(state: EditorState, blocks: Unbuilt): Blocks {
  const { list, open } = blocks
  const ranges: Range<Decoration>[] = []
  const passed: Range<Decoration>[] = []
  const soft: Range<Decoration>[] = []
  let lead = 0
  let above: Block | null = null
  for (const block of list) {
    if (open.has(block.drawn)) {
      const space = spaceAbove(gapBetween(above, block, state))
      if (block.from > lead) ranges.push(space.lines.range(lead, block.from - 1))
      else ranges.push(space.before.range(block.from))
      soft.push(...softOf(state, block, blocks.soft))
    } else {
      const widget = new BlockWidget(block.drawn)
      ranges.push(Decoration.replace({ block: true, widget }).range(lead, block.to))
    }
    const end = lead === 0 ? 0 : lead - 1
    if (block.from - end > 1) passed.push(skip.range(end, block.from))
    lead = block.to + 1
    if (!unseen.test(block.kind)) above = block
  }
  const foot = Decoration.widget({ block: true, side: 1, widget: new FootWidget(blocks.foot) })
  ranges.push(foot.range(state.doc.length))
  return {
    ...blocks,
    soft: Decoration.set(soft, true),
    decorations: Decoration.set([...ranges, ...soft], true),
    passed: Decoration.set(passed, true),
  }
}

const skip = Decoration.mark({})

/** Those that were there when the block was opened: a line that is begun in it is seen as one. */
function softOf(state: EditorState, block: Block, before: DecorationSet): Range<Decoration>[] {
  const { drawn, from, to } = block
  const isFresh = drawn.source === sourceOf(state, block)
  if (isFresh && state.facet(readsBreaks)) return []
  if (isFresh) return softBreaks(sourceOf(state, block), block.kind, from)
  const kept: Range<Decoration>[] = []
  before.between(from, to, (start, end, value) => void kept.push(value.range(start, end)))
  return kept
}

/** The space above a block, as the page has it. */
function gapBetween(above: Block | null, block: Block, state: EditorState): number {
  if (!above || unseen.test(block.kind)) return 0
  if (above.kind === 'heading') return 8
  if (block.kind !== 'heading') return above.kind === 'hr' || block.kind === 'hr' ? 24 : 16
  const source = sourceOf(state, block)
  const isLow = /^ {0,3}#{3,6}(?:\s|$)/.test(source)
  return isLow ? 24 : 40
}
