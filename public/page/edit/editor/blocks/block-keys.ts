// How the caret goes from block to block, where only the one that it is in has lines.

import { EditorSelection, EditorState, type Extension, Prec } from '@codemirror/state'
import { EditorView, keymap, ViewPlugin } from '@codemirror/view'
import { type Block, blockAt, blocksField, settle } from './blocks.ts'
import { createTableCells } from './table-cells.ts'

const restMs = 300

export const blockKeys: Extension = [
  blocksField,
  EditorView.decorations.from(blocksField, ({ decorations }) => decorations),
  EditorView.atomicRanges.of((view) => view.state.field(blocksField).passed),
  Prec.high(
    keymap.of([
      { key: 'ArrowDown', run: (view) => step(view, 1) },
      { key: 'ArrowUp', run: (view) => step(view, -1) },
    ]),
  ),
  // What lies above the text is not seen: nothing is written there.
  EditorState.transactionFilter.of((transaction) => {
    const { start, list } = transaction.startState.field(blocksField)
    const from = list[0]?.from ?? start
    if (!transaction.selection || transaction.docChanged) return transaction
    const { ranges, mainIndex } = transaction.selection
    if (ranges.every((range) => range.from >= from)) return transaction
    const inside = ranges.map(({ anchor, head }) =>
      EditorSelection.range(Math.max(anchor, from), Math.max(head, from)),
    )
    return [transaction, { selection: EditorSelection.create(inside, mainIndex), sequential: true }]
  }),
  ViewPlugin.define((view) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    return {
      update({ docChanged, selectionSet, state }) {
        if (docChanged && state.field(blocksField).isStale) {
          clearTimeout(timer)
          timer = setTimeout(() => view.dispatch({ effects: settle.of(null) }), restMs)
        }
        const { main } = state.selection
        if (selectionSet && main.empty && view.hasFocus && isClosedTable(state, main.head))
          queueMicrotask(() => createTableCells(view).openAt(main.head))
      },
      destroy: () => clearTimeout(timer),
    }
  }),
]

function isClosedTable(state: EditorState, at: number): boolean {
  const { list, open } = state.field(blocksField)
  const block = list[blockAt(list, at)]
  return block?.kind === 'table' && block.from <= at && !open.has(block.drawn)
}

/** A line up or down: into the next block, where the line is the last of this one. */
function step(view: EditorView, by: 1 | -1): boolean {
  const { main } = view.state.selection
  if (!main.empty) return false
  const { list } = view.state.field(blocksField)
  const at = blockAt(list, main.head)
  const block = list[at]!
  const next = view.moveVertically(main, by > 0).head
  if (next !== main.head && block.from <= next && next <= block.to) return false
  const other = nextSeen(list, at, by)
  if (!other) return false
  const goal = view.coordsAtPos(main.head)?.left ?? 0
  const edge = by > 0 ? other.from : other.to
  view.dispatch({ selection: { anchor: edge }, userEvent: 'select', scrollIntoView: true })
  const line = view.coordsAtPos(edge)
  if (other.kind === 'table' || !line) return true
  const place = view.posAtCoords({ x: goal, y: (line.top + line.bottom) / 2 }, false)
  if (place >= other.from && place <= other.to)
    view.dispatch({ selection: { anchor: place }, userEvent: 'select', scrollIntoView: true })
  return true
}

function nextSeen(list: readonly Block[], at: number, by: 1 | -1): Block | null {
  for (let index = at + by; list[index]; index += by) {
    if (!list[index]!.drawn.isUnseen) return list[index]!
  }
  return null
}
