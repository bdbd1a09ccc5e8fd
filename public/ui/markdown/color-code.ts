import { LanguageDescription, type LanguageSupport } from '@codemirror/language'
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
    if (text.length > maxBlock || text.length > budget || !describe(name)) continue
    budget -= text.length
    const language = await loadLanguage(name)
    // Where it was colored meanwhile, or shows something else, it is let be.
    if (language && code.textContent === text && !code.firstElementChild)
      code.replaceChildren(...colored(text, spansOf(text, language)))
  }
}

export type Language = { name: string; parser: LanguageSupport['language']['parser'] }

/** The part of a text from `from` to `to`, and the classes that color it. */
export type CodeSpan = { from: number; to: number; classes: string }

/** `null` for a language that is not known, or whose code cannot be loaded: it stays in one color. */
export async function loadLanguage(name: string): Promise<Language | null> {
  const found = describe(name)
  const support = found?.support ?? (await found?.load().catch(() => null))
  return found && support ? { name: found.name, parser: support.language.parser } : null
}

/** In the order of the text; none overlap. */
export function spansOf(text: string, { parser }: Language): CodeSpan[] {
  const spans: CodeSpan[] = []
  highlightTree(parser.parse(text), codeColors, (from, to, classes) => spans.push({ from, to, classes }))
  return spans
}

const describe = (name: string) => LanguageDescription.matchLanguageName(languages, name, false)

function colored(text: string, spans: readonly CodeSpan[]): (Node | string)[] {
  const nodes: (Node | string)[] = []
  let done = 0
  for (const { from, to, classes } of spans) {
    if (from > done) nodes.push(text.slice(done, from))
    nodes.push(el('span', { class: classes }, text.slice(from, to)))
    done = to
  }
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
