import { LanguageDescription } from '@codemirror/language'
import { languages } from '@codemirror/language-data'
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight'
import { el } from '../dom.ts'

/** Characters of one block, and of all blocks of a text, that are read; more stays in one color. */
const maxBlock = 50_000

const maxText = 200_000

/** Colors blocks of code by their languages. Their text stays the same. */
export async function colorCode(codes: readonly HTMLElement[]): Promise<void> {
  let budget = maxText
  for (const code of codes) {
    const text = code.textContent ?? ''
    const name = code.parentElement?.dataset.language ?? ''
    const language = LanguageDescription.matchLanguageName(languages, name, false)
    if (!language || text.length > maxBlock || text.length > budget) continue
    budget -= text.length
    // A language whose code cannot be loaded stays in one color.
    const support = language.support ?? (await language.load().catch(() => null))
    // Where it was colored meanwhile, or shows something else, it is let be.
    if (support && code.textContent === text && !code.firstElementChild)
      code.replaceChildren(...colored(text, support.language.parser.parse(text)))
  }
}

function colored(text: string, tree: Parameters<typeof highlightTree>[0]): (Node | string)[] {
  const nodes: (Node | string)[] = []
  let done = 0
  highlightTree(tree, codeColors, (from, to, classes) => {
    if (from > done) nodes.push(text.slice(done, from))
    nodes.push(el('span', { class: classes }, text.slice(from, to)))
    done = to
  })
  return [...nodes, text.slice(done)]
}

/** The classes of code. */
const codeColors = tagHighlighter([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.self], class: 'code-keyword' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.inserted], class: 'code-string' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.unit, tags.color], class: 'code-number' },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], class: 'code-comment' },
  {
    tag: [
      tags.typeName,
      tags.className,
      tags.namespace,
      tags.attributeName,
      tags.propertyName,
      tags.definition(tags.propertyName),
    ],
    class: 'code-name',
  },
  {
    tag: [
      tags.function(tags.variableName),
      tags.function(tags.propertyName),
      tags.function(tags.definition(tags.variableName)),
      tags.definition(tags.function(tags.variableName)),
      tags.standard(tags.variableName),
    ],
    class: 'code-function',
  },
  { tag: [tags.tagName, tags.macroName, tags.labelName, tags.deleted, tags.invalid], class: 'code-tag' },
  { tag: tags.heading, class: 'code-keyword' },
])
