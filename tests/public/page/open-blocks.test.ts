// Which blocks of a text are lines of the editor, and which are drawn.

import { EditorState, type TransactionSpec } from '@codemirror/state'
import { expect, test } from 'vitest'
import { blocksField, settle } from '../../../public/page/edit/editor/blocks/blocks.ts'

/** A state with its caret, and whether the caret is in lines that can be written in. */
function write(doc: string, ...steps: TransactionSpec[]) {
  let state = EditorState.create({ doc, extensions: blocksField, selection: { anchor: doc.length } })
  for (const step of steps) state = state.update(step).state
  const { list, open } = state.field(blocksField)
  const at = state.selection.main.head
  const block = list.find(({ from, to }) => from <= at && at <= to)!
  return { state, kind: block.kind, isOpen: open.has(block.drawn) }
}

const table = '| Column | Column |\n| --- | --- |\n|  |  |'
const insert = (text: string, from: number, to = from): TransactionSpec => ({
  changes: { from, to, insert: text },
  selection: { anchor: from + text.length },
})
const rest: TransactionSpec = { effects: settle.of(null) }

test('a table that has just been made can be written in at any moment', () => {
  const made = [insert(table, 0), { selection: { anchor: 2, head: 8 } }]
  const typed = ['D', 'a', 'y'].map((letter, at) => insert(letter, 2 + at, at === 0 ? 8 : 2 + at))

  for (const pauses of [[], [0], [1], [2], [3], [0, 1, 2, 3]]) {
    const steps = typed.flatMap((step, at) => (pauses.includes(at) ? [rest, step] : [step]))
    const { state, kind, isOpen } = write('', ...made, ...steps, ...(pauses.includes(3) ? [rest] : []))

    expect(state.sliceDoc(0, 8)).toBe('| Day | ')
    expect([pauses, isOpen]).toEqual([pauses, true])
    if (pauses.includes(3)) expect(kind).toBe('table')
  }
})

test('a table is drawn once the caret has left it', () => {
  const { state } = write('Before\n\n', insert(table, 8), rest, { selection: { anchor: 0 } })
  const { list, open } = state.field(blocksField)

  expect(list.filter(({ drawn }) => open.has(drawn)).map(({ kind }) => kind)).toEqual(['paragraph'])
})

test('a table that is drawn is not opened by a rest elsewhere', () => {
  const { state } = write(`${table}\n\nAfter`, insert('s', table.length + 7), rest)
  const { list, open } = state.field(blocksField)

  expect(list.map(({ kind, drawn }) => [kind, open.has(drawn)])).toEqual([
    ['table', false],
    ['paragraph', true],
  ])
})
