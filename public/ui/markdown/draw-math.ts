// Formulas as MathML, which browsers lay out themselves: it needs neither fonts nor inline styles.

import katex from 'katex'
import { el } from '../dom.ts'

const options = {
  output: 'mathml',
  throwOnError: true,
  // KaTeX would put the name of the command in their place, and hide the rest.
  trust: refuse,
} as const

/** Elements within elements: deeper ones take a browser long to lay out. */
const maxDepth = 120

/** In place of those that KaTeX draws with an inline style, which the page's policy forbids. */
const macros = {
  '\\pmb': '\\boldsymbol{#1}',
  '\\fcolorbox': refuse,
}

function refuse(): never {
  throw new RangeError('links, pictures and styles are not allowed in formulas')
}

/** Draws formulas in the place of their sources; one that KaTeX cannot read stays as it is, and says why. */
export function drawMath(sources: readonly HTMLElement[]): void {
  for (const source of sources) {
    const marked = source.textContent ?? ''
    const displayMode = source.matches('.math-display')
    const marks = displayMode ? 2 : 1
    const tex = marked.slice(marks, -marks).trim()
    try {
      const drawn = el('span')
      katex.render(tex, drawn, { ...options, displayMode, macros: { ...macros } })
      if (isTooDeep(drawn)) throw new RangeError('nested too deeply')
      source.replaceChildren(...(drawn.firstElementChild ?? drawn).childNodes)
      source.classList.add('math-drawn')
      // It may scroll sideways.
      if (displayMode) source.tabIndex = 0
    } catch (error) {
      source.title = error instanceof katex.ParseError ? error.message.slice(0, 300) : 'Not a valid formula.'
    }
  }
}

function isTooDeep(root: Element): boolean {
  let level: Element[] = [root]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true
    level = level.flatMap(({ children }) => [...children])
  }
  return false
}
