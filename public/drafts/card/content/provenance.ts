import type { Card } from '../../../../lib/contract/changes/card.ts'
import type { ProvenanceSource } from '../../../../lib/contract/changes/provenance.ts'
import { kindIcon } from '../../../ui/components/icon.ts'
import { quoted, visible } from '../../../ui/components/visible.ts'
import { plural } from '../../../ui/diff/diff-hunk.ts'
import { type Child, el } from '../../../ui/dom.ts'
import { entityHref } from '../../../ui/words/addresses.ts'

/** The sources that the agent had read when it made the draft, and where each came from. */
export function renderProvenance(card: Card, { id, slug }: { id: string; slug: string | null }): Child {
  const { known, sources, more, passages } = card.provenance
  if (sources.length === 0) {
    const unknown = 'Drafted outside a conversation. Sources unknown.'
    return known ? null : el('p', { class: 'card-provenance dim small' }, unknown)
  }
  const outside = sources.filter(({ untrusted }) => untrusted).length
  return el(
    'details',
    {
      class: 'card-provenance card-more',
      id,
      open: hasOutsideWords(card),
    },
    el('summary', {}, title(sources.length + more, outside)),
    el(
      'ul',
      { class: 'card-sources' },
      sources.map((source) => renderSource(source, slug)),
      more > 0 && el('li', { class: 'dim' }, `and ${more} more`),
      !known && el('li', { class: 'dim' }, 'What else was read is unknown.'),
    ),
    passages.map(({ title, text, share, shared_words }) =>
      el(
        'figure',
        { class: 'card-passage' },
        el('blockquote', { dir: 'auto' }, visible(text)),
        el(
          'figcaption',
          {},
          'From ',
          quoted(title),
          `, an outside source. It contains ${shared_words} of the draft’s words (${Math.round(share * 100)} %).`,
        ),
      ),
    ),
  )
}

/** Whether the list is opened by itself: an outside passage has a large part of the draft's words. */
export const hasOutsideWords = ({ provenance: { sources, passages } }: Pick<Card, 'provenance'>): boolean =>
  sources.some(({ used }) => used) && passages.some(isSubstantial)

/** At least half of the draft's words are in the passage, and more than a few. */
const isSubstantial = ({ share, shared_words }: Card['provenance']['passages'][number]) =>
  share >= 0.5 && shared_words >= 6

const title = (count: number, outside: number) =>
  `${plural(count, 'source')} read${outside > 0 ? `, ${outside} from outside` : ''}`

function renderSource(
  { entity_type, entity_id, title, origin, untrusted, given_by }: ProvenanceSource,
  slug: string | null,
) {
  const href = slug && entityHref(slug, entity_type, entity_id)
  return el(
    'li',
    {},
    kindIcon(entity_type),
    href ? el('a', { href }, quoted(title)) : quoted(title),
    el('span', { class: 'dim' }, ways[given_by]),
    untrusted && el('span', { class: 'badge badge-amber' }, `from ${origin ?? 'outside'}`),
  )
}

const ways = {
  read: 'read',
  search: 'found',
  view: 'open',
  tool: 'from a tool',
  glance: 'asked about',
  folder: 'in the folder',
} as const
