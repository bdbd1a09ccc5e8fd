// What a text gets once a browser shows it, by code that most texts do not need: icons of callouts, formulas, diagrams,
// colors of code.

import { drawIcon } from '../components/icon.ts'

/** Formulas, and blocks of code, of one text that are drawn; the rest stays as it is written. */
const maxDrawn = 500

/**
 * Draws the callouts, formulas and blocks of code of one text. Resolves when all is drawn; `enriched` is dispatched then,
 * which bubbles. Rejects when the code of it cannot be loaded.
 */
export async function enrich(found: readonly HTMLElement[]): Promise<void> {
  for (const callout of found.filter((each) => each.matches('.callout')))
    callout.querySelector(':scope > .callout-title')?.prepend(calloutIcon(callout.dataset.kind ?? ''))

  const formulas = found.filter((each) => each.matches('code.math')).slice(0, maxDrawn)
  const codes = found
    .flatMap((each) => [...(each.matches('pre') ? each.querySelectorAll<HTMLElement>(':scope > code') : [])])
    .slice(0, maxDrawn)
  const diagrams = codes.filter((code) => code.parentElement?.dataset.language === 'mermaid')
  if (formulas.length > 0) (await import('./draw-math.ts')).drawMath(formulas)
  if (codes.length > 0) await (await import('./color-code.ts')).colorCode(codes)
  if (diagrams.length > 0) await (await import('./draw-diagrams.ts')).drawDiagrams(diagrams)
  if (formulas.length + codes.length === 0) return
  const shown = found.find((each) => each.isConnected)
  shown?.dispatchEvent(new CustomEvent('enriched', { bubbles: true }))
}

const pencil = 'M10.5 2.75l2.75 2.75L5.5 13.25l-3.25.5.5-3.25zM9 4.25L11.75 7'

const circle = 'M8 14.25a6.25 6.25 0 1 0 0-12.5 6.25 6.25 0 0 0 0 12.5z'

const lines = 'M3 2.5h10v11H3zM5.5 5.5h5M5.5 8h5M5.5 10.5h3'

const flame =
  'M8 14.25c-2.75 0-4.5-1.75-4.5-4.25 0-3 2.75-4 3-8 2.5 1 3.25 3 3 4.75.75-.25 1-.75 1.25-1.5 1.25 1.25 1.75 2.75 1.75 4.75 0 2.5-1.75 4.25-4.5 4.25z'

const question = `${circle}M6.25 6.25a1.75 1.75 0 1 1 2.5 1.6c-.5.25-.75.6-.75 1.15M8 11.25h.01`

const warning = 'M8 2l6.5 11.5h-13zM8 6.5v3.25M8 11.75h.01'

const cross = 'M4 4l8 8M12 4l-8 8'

const quote = 'M2.5 12c2-.75 3-2.25 3-4.5h-3v-4h4v4M9.500 12c2-.75 3-2.25 3-4.500h-3v-4h4v4'

/** Of every kind of callout that Obsidian knows. */
const paths: Record<string, string> = Object.fromEntries(
  Object.entries({
    [lines]: 'abstract summary tldr',
    [`${circle}M8 7.5v3.5M8 5h.01`]: 'info',
    [`${circle}M5.25 8.25l2 2 3.5-4`]: 'todo',
    [flame]: 'tip hint important',
    'M3 8.5l3.5 3.5L13 4.5': 'success check done',
    [question]: 'question help faq',
    [warning]: 'warning caution attention',
    [cross]: 'failure fail missing',
    'M9 1.75L3.5 9H8l-1 5.250L12.500 7H8z': 'danger error',
    'M5 6.500a3 3 0 0 1 6 0v4a3 3 0 0 1-6 0zM5.750 4.250L4.250 2.500M10.250 4.250l1.500-1.750M5 8.500H2M14 8.500h-3M5 11l-2.250 1.500M11 11l2.250 1.500M8 6v7.500':
      'bug',
    'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01': 'example',
    [quote]: 'quote cite',
  }).flatMap(([path, kinds]) => kinds.split(' ').map((kind) => [kind, path])),
)

/** The icon of a kind of callout; a pencil for a note, and for a kind that is not known. */
const calloutIcon = (kind: string): SVGSVGElement =>
  drawIcon((Object.hasOwn(paths, kind) && paths[kind]) || pencil)
