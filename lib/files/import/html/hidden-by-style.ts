// What a page hides by its own style sheet: elements of a class or an id that is not displayed.

import { attribute, type HtmlDocument, type HtmlNode, hidesText } from './node.ts'

const simple = /^(?:[a-z][a-z0-9]*)?([.#])([\w-]{1,100})$/i

const maxSelectors = 1000

/** Removes such elements, and the style sheets. Rules for other media and for parts of an element are left alone. */
export function removeHidden(document: HtmlDocument): void {
  const hidden = new Set<string>()
  for (const sheet of document.querySelectorAll('style')) {
    for (const selector of selectorsIn(sheet.textContent ?? '')) {
      if (hidden.size < maxSelectors) hidden.add(selector)
    }
    sheet.remove()
  }
  if (hidden.size === 0) return
  for (const element of document.querySelectorAll('[class], [id]')) {
    if (namesOf(element).some((name) => hidden.has(name))) element.remove()
  }
}

const namesOf = (element: HtmlNode): string[] => [
  `#${attribute(element, 'id')}`,
  ...attribute(element, 'class')
    .split(/\s+/)
    .map((name) => `.${name}`),
]

function selectorsIn(sheet: string): string[] {
  return rulesOf(sheet).flatMap(({ selectors, style }) => {
    if (!hidesText(style)) return []
    return selectors.split(',').flatMap((selector) => {
      const [, sign, name] = simple.exec(selector.trim()) ?? []
      return sign && name ? [sign + name] : []
    })
  })
}

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
