import type { Attention, AttentionFigures } from '../../../lib/contract/attention.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { defineSection } from '../parts/section.ts'

export const approvalsSection = defineSection<Attention>({
  load: ({ api }) => api.get('/api/attention'),
  render: (attention) => [
    el('p', { class: 'dim' }, 'Your decisions on drafts. Measured on this server and visible only to you.'),
    attention.notice && renderNotice(attention),
    renderTable(attention),
  ],
  affectedBy: (event) => event.type === 'change',
})

const renderNotice = ({ hasty, recent }: Attention): Child =>
  el(
    'p',
    { class: ['notice', 'row'], role: 'note' },
    icon('warning'),
    el(
      'span',
      { class: 'grow' },
      `You approved ${hasty} of your last ${recent.decisions} drafts within two seconds, or without opening them. ` +
        'If drafts are too many to read, ask your agents for fewer.',
    ),
  )

function renderTable({ recent, all }: Attention): HTMLElement {
  const row = (label: string, cell: (figures: AttentionFigures) => string) =>
    el('tr', {}, el('th', { scope: 'row' }, label), el('td', {}, cell(recent)), el('td', {}, cell(all)))
  return el(
    'table',
    { class: 'figures usage-table' },
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        el('td', {}),
        el('th', { scope: 'col' }, 'Last 30'),
        el('th', { scope: 'col' }, 'All time'),
      ),
    ),
    el(
      'tbody',
      {},
      row('Decided', ({ decisions }) => String(decisions)),
      row('Approved', ({ approved, decisions }) => share(approved, decisions)),
      row('Undone later', ({ undone, approved }) => share(undone, approved)),
      row('Median decision time', ({ median_seconds }) => duration(median_seconds)),
      row('Decided without opening', ({ unseen }) => String(unseen)),
    ),
  )
}

const share = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${part} (${Math.round((part / whole) * 100)} %)`

function duration(seconds: number | null): string {
  if (seconds === null) return '–'
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`
}
