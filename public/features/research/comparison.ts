import type { Space } from '../../../lib/contract/entities.ts'
import type {
  ResearchClaimChange,
  ResearchComparison,
  ResearchPassageChange,
} from '../../../lib/contract/research-comparison.ts'
import { type Child, el } from '../../ui/dom.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import { verdictBadge } from './research-words.ts'

const claimWords: Readonly<Record<ResearchClaimChange['change'], readonly [string, string]>> = {
  contradicted: ['contradicted', 'badge-amber'],
  stale: ['stale', 'badge-amber'],
  lost_support: ['lost support', ''],
  gained_support: ['gained support', ''],
  unchecked: ['could not be checked', ''],
  new: ['new', ''],
  dropped: ['not said again', ''],
  same: ['as before', ''],
}

const passageWords: Readonly<Record<ResearchPassageChange['change'], string>> = {
  changed: 'changed',
  gone: 'not found again',
  new: 'new',
}

/** A repeated run beside the one before it. */
export function renderComparison(
  { passages, claims }: ResearchComparison,
  { slug }: Pick<Space, 'slug'>,
): Child {
  const { same, changed, gone, new: fresh } = passages
  return [
    el(
      'p',
      { class: 'dim small' },
      `Passages: ${same} the same, ${changed} changed, ${gone} not found again, ${fresh} new.`,
    ),
    claims.length > 0 &&
      el(
        'div',
        { class: 'research-table', tabindex: 0, role: 'region', 'aria-label': 'Claims in both runs' },
        el(
          'table',
          {},
          el(
            'thead',
            {},
            el(
              'tr',
              {},
              ['Claim', 'Before', 'Now', 'Change'].map((name) => el('th', { scope: 'col' }, name)),
            ),
          ),
          el('tbody', {}, claims.map(claimRow)),
        ),
      ),
    passages.items.length > 0 &&
      el(
        'details',
        { id: 'changed-passages' },
        el('summary', {}, `Passages that differ (${passages.items.length})`),
        el(
          'ul',
          {},
          passages.items.map((item) => passageRow(item, slug)),
        ),
      ),
  ]
}

function claimRow(claim: ResearchClaimChange): HTMLElement {
  const { change, text, previous_text, verdict, previous_verdict, reasons } = claim
  const [words, tone] = claimWords[change]
  return el(
    'tr',
    {},
    el(
      'td',
      {},
      text,
      previous_text && el('span', { class: 'dim small research-note' }, `Before: ${previous_text}`),
      change !== 'same' &&
        reasons.length > 0 &&
        el('span', { class: 'dim small research-note' }, reasons.join('; ')),
    ),
    el('td', {}, previous_verdict ? verdictBadge(previous_verdict) : '–'),
    el('td', {}, verdictBadge(verdict)),
    el('td', {}, el('span', { class: ['badge', tone] }, words)),
  )
}

function passageRow(
  { change, n, previous_n, entity_type, entity_id, title }: ResearchPassageChange,
  slug: string,
): HTMLElement {
  const href = entityHref(slug, entity_type, entity_id)
  const name = title || 'Untitled'
  const numbers = [previous_n && `was [${previous_n}]`, n && `now [${n}]`].filter(Boolean).join(', ')
  return el('li', {}, href ? el('a', { href }, name) : name, ` ${passageWords[change]} (${numbers})`)
}
