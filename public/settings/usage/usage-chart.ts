import type { UsageReport } from '../../../lib/contract/companion/usage.ts'
import { el, svg } from '../../ui/dom.ts'
import { dayText } from '../../ui/time.ts'
import { tokenText } from './usage-text.ts'

const width = 600
const height = 96
const gap = 4

/** Tokens per day, as bars; the table has the same figures. */
export function renderUsageChart({ items, total }: UsageReport, now: Date): HTMLElement {
  const max = Math.max(...items.map(({ tokens }) => tokens), 1)
  const step = width / Math.max(1, items.length)
  const [first, last] = [items[0], items.at(-1)]
  const name =
    total.tokens === 0
      ? 'No usage in the last 30 days'
      : `Tokens per day over the last ${items.length} days: ${tokenText(total.tokens)} in total, at most ${tokenText(max)} a day`
  return el(
    'figure',
    { class: 'usage-chart' },
    svg(
      'svg',
      { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': name, preserveAspectRatio: 'none' },
      items.map(({ key, tokens }, index) => {
        const tall = tokens === 0 ? 1 : Math.max(3, (tokens / max) * height)
        return svg(
          'rect',
          {
            class: tokens === 0 ? 'usage-none' : 'usage-bar',
            x: index * step + gap / 2,
            y: height - tall,
            width: step - gap,
            height: tall,
          },
          svg('title', {}, `${dayText(key, now)}: ${tokenText(tokens)} tokens`),
        )
      }),
    ),
    first &&
      last &&
      el(
        'figcaption',
        { class: 'dim small' },
        el('span', {}, dayText(first.key, now)),
        el('span', {}, total.tokens === 0 ? name : `Peak: ${tokenText(max)} tokens`),
        el('span', {}, 'today'),
      ),
  )
}
