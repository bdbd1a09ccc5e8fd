import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import { frontMatterEnd } from './front-matter-end.ts'

const verbatim = /^(?:FencedCode|CodeBlock|CodeText|InlineCode|HTMLBlock|CommentBlock)$/

/** Whether a place takes text as it is: code and properties. */
export function isVerbatim(state: EditorState, at: number): boolean {
  if (at < frontMatterEnd(state.doc)) return true
  for (let node = syntaxTree(state).resolveInner(at, -1); ; ) {
    if (verbatim.test(node.name)) return true
    if (!node.parent) return false
    node = node.parent
  }
}
