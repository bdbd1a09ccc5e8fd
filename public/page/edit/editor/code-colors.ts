// Colours the code whose source is in view, by the same rules as the page does. It is parsed apart from the Markdown:
// what reads the syntax of the page never meets the nodes of another language.

import { syntaxTree } from '@codemirror/language'
import { RangeSetBuilder, StateEffect } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import { type CodeSpan, type Language, loadLanguage, spansOf } from '../../../ui/markdown/color-code.ts'

/** Characters of one block that are read at each change; longer ones stay in one colour. */
const maxBlock = 20_000

const loaded = StateEffect.define<null>()

class CodeColors {
  decorations: DecorationSet = Decoration.none
  /** By the name behind the fence; `null` while it loads, and for a language that there is none for. */
  readonly #languages = new Map<string, Language | null>()
  /** Of the last drawing, by language and text: what is typed elsewhere reads no code again. */
  #known = new Map<string, readonly CodeSpan[]>()
  #isGone = false

  constructor(view: EditorView) {
    this.decorations = this.#draw(view)
  }

  update(update: ViewUpdate): void {
    const isLoaded = update.transactions.some(({ effects }) => effects.some((one) => one.is(loaded)))
    const isParsed = syntaxTree(update.state) !== syntaxTree(update.startState)
    if (update.docChanged || update.viewportChanged || isParsed || isLoaded)
      this.decorations = this.#draw(update.view)
  }

  destroy(): void {
    this.#isGone = true
  }

  #draw(view: EditorView): DecorationSet {
    const builder = new RangeSetBuilder<Decoration>()
    const known = new Map<string, readonly CodeSpan[]>()
    let drawnTo = 0
    for (const { from, to } of view.visibleRanges) {
      syntaxTree(view.state).iterate({
        from,
        to,
        enter: ({ name, node }) => {
          if (name !== 'FencedCode' || node.from < drawnTo) return
          const info = node.getChild('CodeInfo')
          const code = node.getChild('CodeText')
          if (!info || !code || code.to - code.from > maxBlock) return
          const language = this.#languageOf(view.state.sliceDoc(info.from, info.to), view)
          if (!language) return
          drawnTo = node.to
          const text = view.state.sliceDoc(code.from, code.to)
          const key = `${language.name}\n${text}`
          const spans = this.#known.get(key) ?? spansOf(text, language)
          known.set(key, spans)
          for (const span of spans)
            builder.add(code.from + span.from, code.from + span.to, markOf(span.classes))
        },
      })
    }
    this.#known = known
    return builder.finish()
  }

  #languageOf(info: string, view: EditorView): Language | null {
    const name = /^[^\s{]*/.exec(info)![0]
    const known = this.#languages.get(name)
    if (known !== undefined) return known
    this.#languages.set(name, null)
    void loadLanguage(name).then((language) => {
      if (!language || this.#isGone) return
      this.#languages.set(name, language)
      view.dispatch({ effects: loaded.of(null) })
    })
    return null
  }
}

const marks = new Map<string, Decoration>()

function markOf(classes: string): Decoration {
  const known = marks.get(classes) ?? Decoration.mark({ class: classes })
  marks.set(classes, known)
  return known
}

export const codeColors = ViewPlugin.fromClass(CodeColors, {
  decorations: ({ decorations }) => decorations,
})
