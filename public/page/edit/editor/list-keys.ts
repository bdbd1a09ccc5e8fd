// Enter in an empty item of a list leaves it, with an empty line before what is written next: directly below the items, that
// would still be of the last one.

import { syntaxTree } from '@codemirror/language'
import type { EditorView, KeyBinding } from '@codemirror/view'

export const listKeys: readonly KeyBinding[] = [{ key: 'Enter', run: leaveList }]

const emptyItem = /^(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]*)?$/

function leaveList(view: EditorView): boolean {
  const { state } = view
  const { main } = state.selection
  const line = state.doc.lineAt(main.head)
  if (!main.empty || main.head !== line.to || line.number === 1 || !emptyItem.test(line.text)) return false
  const inList = syntaxTree(state).resolveInner(line.from, 1).name
  const above = state.doc.line(line.number - 1).text.trim()
  if (!/^(?:ListMark|ListItem|BulletList|OrderedList)$/.test(inList) || above === '') return false
  view.dispatch({
    changes: { from: line.from, to: line.to, insert: state.lineBreak },
    selection: { anchor: line.from + 1 },
    scrollIntoView: true,
    userEvent: 'input',
  })
  return true
}
