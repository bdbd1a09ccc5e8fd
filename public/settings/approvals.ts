import type { Attention, AttentionFigures } from '../../lib/contract/attention.ts'
import { messageOf } from '../api.ts'
import { icon } from '../components/icon.ts'
import { type Child, el } from '../dom.ts'
import { timeAgo } from '../time.ts'
import type { ViewContext } from '../view.ts'
import { defineSection } from './section.ts'

export const approvalsSection = defineSection<Attention>({
  load: ({ api }) => api.get('/api/attention'),
  render: (attention, context) => [
    el(
      'p',
      { class: 'dim' },
      'How you decide on drafts. It is measured on this server and shown to you alone.',
    ),
    attention.notice && renderNotice(attention),
    renderTable(attention),
    renderDrills(attention, context),
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
      `${hasty} of your last ${recent.decisions} drafts were approved within two seconds, or without being opened. ` +
        'That is hardly time to read one. If they are all alike, it may be worth asking for fewer of them.',
    ),
  )

function renderTable({ recent, all }: Attention): HTMLElement {
  const row = (label: string, cell: (figures: AttentionFigures) => string) =>
    el('tr', {}, el('th', { scope: 'row' }, label), el('td', {}, cell(recent)), el('td', {}, cell(all)))
  return el(
    'table',
    { class: 'figures' },
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        el('td', {}),
        el('th', { scope: 'col' }, 'The last thirty'),
        el('th', { scope: 'col' }, 'Altogether'),
      ),
    ),
    el(
      'tbody',
      {},
      row('Decided', ({ decisions }) => String(decisions)),
      row('Approved', ({ approved, decisions }) => share(approved, decisions)),
      row('Taken back later', ({ undone, approved }) => share(undone, approved)),
      row('Time to decide, the middle one', ({ median_seconds }) => duration(median_seconds)),
      row('Decided without being opened', ({ unseen }) => String(unseen)),
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

function renderDrills({ drills }: Attention, { app, refresh, now }: ViewContext): Child {
  const flip = async () => {
    box.disabled = true
    try {
      await app.api.patch('/api/attention', { drills: box.checked })
    } catch (error) {
      app.toast(`Drills are as they were. ${messageOf(error)}`, { tone: 'problem' })
    }
    box.disabled = false
    await refresh()
  }
  const box = el('input', { type: 'checkbox', id: 'drills', checked: drills.on, onchange: flip })
  return [
    el('h3', {}, 'Drills'),
    el(
      'label',
      { class: 'choice' },
      box,
      el(
        'span',
        {},
        el('strong', {}, 'Try me now and then'),
        el(
          'span',
          { class: 'dim small' },
          'Every few days or weeks Void puts a draft among the others that would do harm. It can never be applied, and you are told at once what it was.',
        ),
      ),
    ),
    drills.latest.length > 0 &&
      el(
        'ul',
        { class: 'rows', 'aria-label': 'Drills so far' },
        drills.latest.map(({ pending_change_id, decided_at, approved }) =>
          el(
            'li',
            { class: 'row-item' },
            el(
              'span',
              { class: ['badge', approved ? 'badge-red' : 'badge-green'] },
              approved ? 'approved' : 'seen',
            ),
            el('a', { class: 'row-title', href: `/inbox/${pending_change_id}?tab=decided` }, 'A drill'),
            timeAgo(decided_at, now),
          ),
        ),
      ),
  ]
}
