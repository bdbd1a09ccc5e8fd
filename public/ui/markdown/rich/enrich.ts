// What a text gets once a browser shows it, by code that most texts do not need: icons of callouts, formulas, diagrams,
// colors of code.

import { calloutIcon } from './callout-icon.ts'

/** Formulas, and blocks of code, of one text that are drawn; the rest stays as it is written. */
const maxDrawn = 500

/** Resolves when all is drawn; `enriched` is dispatched then, which bubbles. Rejects when the code of it cannot be loaded. */
export async function enrich(root: HTMLElement): Promise<void> {
  for (const title of root.querySelectorAll<HTMLElement>('.callout > .callout-title'))
    title.prepend(calloutIcon(title.parentElement?.dataset.kind ?? ''))

  const formulas = first(root.querySelectorAll<HTMLElement>('code.math'))
  const codes = first(root.querySelectorAll<HTMLElement>('pre[data-language]:not([data-language=""]) > code'))
  const diagrams = codes.filter((code) => code.parentElement?.dataset.language === 'mermaid')
  if (formulas.length > 0) (await import('./draw-math.ts')).drawMath(formulas)
  if (codes.length > 0) await (await import('./color-code.ts')).colorCode(codes)
  if (diagrams.length > 0) await (await import('./draw-diagrams.ts')).drawDiagrams(diagrams)
  if (formulas.length + codes.length > 0) root.dispatchEvent(new CustomEvent('enriched', { bubbles: true }))
}

const first = <Node>(nodes: Iterable<Node>): Node[] => [...nodes].slice(0, maxDrawn)
