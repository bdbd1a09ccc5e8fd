// Diagrams of Mermaid's language as SVG, made without a document: what comes out is text, which is sanitized like any other.
// One that cannot be drawn stays the code that it is.

import { renderMermaidSVG } from 'beautiful-mermaid'
import { el } from '../../dom.ts'
import { trustDiagram } from './trust-diagram.ts'

/** Diagrams of one text, and what one may hold. The layout holds the page up while it is computed. */
const maxDiagrams = 20
const maxLength = 5000
const maxLines = 150
const maxLinks = 150

export async function drawDiagrams(sources: readonly HTMLElement[]): Promise<void> {
  for (const source of sources.slice(0, maxDiagrams)) {
    // Between two of them the page can answer.
    await new Promise((resolve) => setTimeout(resolve))
    draw(source)
  }
}

function draw(code: HTMLElement): void {
  const block = code.parentElement!
  const text = (code.textContent ?? '').trim()
  try {
    if (isTooLarge(text)) throw new RangeError('The diagram is too large to be drawn.')
    const drawn = el('div', {
      class: 'diagram',
      role: 'img',
      'aria-label': `Diagram: ${kindOf(text)}`,
      tabindex: 0,
    })
    drawn.innerHTML = trustDiagram(renderMermaidSVG(text))
    if (!drawn.querySelector('text')) throw new RangeError('The diagram is empty.')
    const fold = el('details', { class: 'diagram-source' }, el('summary', {}, 'Diagram source'))
    block.replaceWith(drawn, fold)
    fold.append(block)
  } catch (error) {
    block.title = `Not drawn: ${error instanceof Error ? error.message.slice(0, 300) : 'not a diagram'}`
  }
}

function isTooLarge(text: string): boolean {
  const lines = text.split('\n').length
  // `A & B --> C & D` links each with each.
  const [links, sides] = [text.split(/[-=.~]{2}/).length, text.split('&').length]
  return text.length > maxLength || lines > maxLines || links * Math.min(sides, 3) > maxLinks || sides > 15
}

const kindOf = (text: string) => (/^[ \t]*(\w[\w-]{0,40})/m.exec(text)?.[1] ?? 'diagram').toLowerCase()
