import type { UsageReport } from '../../lib/contract/usage.ts'
import { el, svg } from '../dom.ts'
import { dayText } from '../time.ts'
import { tokenWords } from './usage-words.ts'

const width = 600
const height = 96
const gap = 4

/** Tokens day by day, as bars; the table beside it says the same in numbers. */
export function renderUsageChart({ items, total }: UsageReport, now: Date): HTMLElement {
  const most = Math.max(...items.map(({ tokens }) => tokens), 1)
  const step = width / Math.max(1, items.length)
  const [first, last] = [items[0], items.at(-1)]
  const name =
    total.tokens === 0
      ? 'Nothing was used in the last 30 days.'
      : `Tokens of each of the last ${items.length} days, ${tokenWords(total.tokens)} in all, ${tokenWords(most)} at the most.`
  return el(
    'figure',
    { class: 'usage-chart' },
    svg(
      'svg',
      { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': name, preserveAspectRatio: 'none' },
      items.map(({ key, tokens }, index) => {
        const tall = tokens === 0 ? 1 : Math.max(3, (tokens / most) * height)
        return svg(
          'rect',
          {
            class: tokens === 0 ? 'usage-none' : 'usage-bar',
            x: index * step + gap / 2,
            y: height - tall,
            width: step - gap,
            height: tall,
          },
          svg('title', {}, `${dayText(key, now)}: ${tokenWords(tokens)} tokens`),
        )
      }),
    ),
    first &&
      last &&
      el(
        'figcaption',
        { class: 'dim small' },
        el('span', {}, dayText(first.key, now)),
        el('span', {}, total.tokens === 0 ? name : `at most ${tokenWords(most)} tokens a day`),
        el('span', {}, 'today'),
      ),
  )
}
