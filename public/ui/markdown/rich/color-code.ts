import { LanguageDescription } from '@codemirror/language'
import { languages } from '@codemirror/language-data'
import { highlightTree } from '@lezer/highlight'
import { el } from '../../dom.ts'
import { codeColors } from './code-colors.ts'

/** Characters of one block, and of all blocks of a text, that are read; more stays in one color. */
const maxBlock = 50_000
const maxText = 200_000

/** Colors blocks of code by their languages. Their text stays the same. */
export async function colorCode(codes: readonly HTMLElement[]): Promise<void> {
  let left = maxText
  for (const code of codes) {
    const text = code.textContent ?? ''
    const name = code.parentElement?.dataset.language ?? ''
    const found = LanguageDescription.matchLanguageName(languages, name, false)
    if (!found || text.length > maxBlock || text.length > left) continue
    left -= text.length
    // A language whose code cannot be loaded stays in one color.
    const support = found.support ?? (await found.load().catch(() => null))
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
