// Links of the text are followed with Ctrl (or ⌘) and a click, or with Alt+Enter at the caret; a plain click writes.

import { syntaxTree } from '@codemirror/language'
import { type Extension, Prec } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { normalizeName } from '../../../../../lib/core/text/normalize-name.ts'
import { linkTargets } from './link-targets.ts'

export type Follow = {
  /** To a thing of the Space. */
  entity: (type: string, id: string) => void
  /** To a page that is not there. */
  missing: (title: string) => void
  address: (url: string) => void
}

export const followLinks = (follow: Follow): Extension => [
  Prec.high(
    keymap.of([{ key: 'Alt-Enter', run: (view) => followAt(view, view.state.selection.main.head, follow) }]),
  ),
  EditorView.domEventHandlers({
    // Not at the click: by then the line shows its marks, and the link that was pressed is gone.
    mousedown(event, view) {
      if (event.button !== 0 || (!event.ctrlKey && !event.metaKey)) return false
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY })
      return at !== null && followAt(view, at, follow)
    },
  }),
]

const wikilink = /!?\[\[([^[\]\n|#]*)[^[\]\n]*\]\]/g

function followAt(view: EditorView, at: number, follow: Follow): boolean {
  const { state } = view
  const line = state.doc.lineAt(at)
  const found = [...line.text.matchAll(wikilink)].find(
    ({ index, 0: { length } }) => line.from + index <= at && at <= line.from + index + length,
  )
  if (found) {
    const title = found[1]!.trim()
    const target = state.field(linkTargets).finder.find(normalizeName(title))
    if (target?.to_type && target.to_id) follow.entity(target.to_type, target.to_id)
    else if (title !== '') follow.missing(title)
    return title !== ''
  }
  for (let node = syntaxTree(state).resolveInner(at, 1); ; ) {
    const url = node.name === 'URL' ? node : node.getChild('URL')
    if (url && /^(?:URL|Link|Image|Autolink)$/.test(node.name)) {
      follow.address(state.sliceDoc(url.from, url.to))
      return true
    }
    if (!node.parent) return false
    node = node.parent
  }
}
