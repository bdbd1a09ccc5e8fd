// What a document says by its own style sheet: which classes and ids are not displayed, and which stand above or below the
// line.

import { attribute, type HtmlDocument, type HtmlNode, hidesText, positionOf } from './node.ts'

const simple = /^(?:[a-z][a-z0-9]*)?([.#])([\w-]{1,100})$/i

const maxSelectors = 1000

/** What rules say of names with their sign: `.gone`, `#secret`. */
export type SheetRules = { hidden: ReadonlySet<string>; positions: ReadonlyMap<string, 'sup' | 'sub'> }

/** Rules for other media and for parts of an element are left alone. */
export function readStyleSheets(sheets: readonly string[]): SheetRules {
  const hidden = new Set<string>()
  const positions = new Map<string, 'sup' | 'sub'>()
  for (const { selectors, style } of sheets.flatMap(rulesOf)) {
    const position = positionOf(style)
    const names = hidesText(style) || position ? namesIn(selectors) : []
    for (const name of names.slice(0, Math.max(0, maxSelectors - hidden.size - positions.size))) {
      if (hidesText(style)) hidden.add(name)
      else if (position) positions.set(name, position)
    }
  }
  return { hidden, positions }
}

/**
 * Removes what is hidden, and the style sheets; powers and indices get their style themselves. `shared`: the rules of
 * sheets outside of the document.
 */
export function applyStyleSheets(document: HtmlDocument, shared: SheetRules = readStyleSheets([])): void {
  const sheets = [...document.querySelectorAll('style')]
  const own = readStyleSheets(sheets.map(textOf))
  for (const sheet of sheets) sheet.remove()
  const all = [shared, own].filter(({ hidden, positions }) => hidden.size + positions.size > 0)
  if (all.length === 0) return
  for (const element of document.querySelectorAll('[class], [id]')) {
    const names = namesOf(element)
    const position = names.flatMap((name) => all.map(({ positions }) => positions.get(name))).find(Boolean)
    if (names.some((name) => all.some(({ hidden }) => hidden.has(name)))) element.remove()
    else if (position) raise(element, position)
  }
}

const raise = (element: Styled, position: 'sup' | 'sub') =>
  element.setAttribute(
    'style',
    `${attribute(element, 'style')};vertical-align:${position === 'sub' ? 'sub' : 'super'}`,
  )

type Styled = HtmlNode & { setAttribute(name: string, value: string): void }

const textOf = (sheet: HtmlNode): string => sheet.textContent ?? ''

const namesOf = (element: HtmlNode): string[] => [
  `#${attribute(element, 'id')}`,
  ...attribute(element, 'class')
    .split(/\s+/)
    .map((name) => `.${name}`),
]

const namesIn = (selectors: string): string[] =>
  selectors.split(',').flatMap((selector) => {
    const [, sign, name] = simple.exec(selector.trim()) ?? []
    return sign && name ? [sign + name] : []
  })

/** The rules that are in no other, such as `@media`. */
function rulesOf(sheet: string): { selectors: string; style: string }[] {
  const rules: { selectors: string; style: string }[] = []
  let [depth, start, selectors] = [0, 0, '']
  const plain = sheet.replace(/\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)/g, '')
  for (const { 0: brace, index } of plain.matchAll(/[{}]/g)) {
    if (brace === '{' && depth === 0)
      selectors = plain
        .slice(start, index)
        .replace(/^[^;]*;/, '')
        .trim()
    else if (brace === '}' && depth === 1 && !selectors.startsWith('@'))
      rules.push({ selectors, style: plain.slice(start, index) })
    depth = Math.max(0, depth + (brace === '{' ? 1 : -1))
    start = index + 1
  }
  return rules
}
