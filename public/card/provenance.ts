import type { Card, ProvenanceSource } from '../../lib/contract/card.ts'
import { entityHref } from '../addresses.ts'
import { kindIcon } from '../components/icon.ts'
import { visible } from '../components/visible.ts'
import { type Child, el } from '../dom.ts'

/** What the agent had been given when it made the draft, with whose words those were. */
export function renderProvenance(
  { provenance: { known, sources, more, passages } }: Card,
  { id, slug }: { id: string; slug: string | null },
): Child {
  if (!known) {
    return el(
      'p',
      { class: 'card-provenance dim small' },
      'Made outside a conversation: what was read before it is unknown.',
    )
  }
  if (sources.length === 0) return null
  const outside = sources.filter(({ untrusted }) => untrusted).length
  return el(
    'details',
    { class: 'card-provenance card-more', id, open: passages.some(isTelling) },
    el('summary', {}, title(sources.length + more, outside)),
    el(
      'ul',
      { class: 'card-sources' },
      sources.map((source) => renderSource(source, slug)),
      more > 0 && el('li', { class: 'dim' }, `and ${more} more`),
    ),
    passages.map(({ title, text, share, shared_words }) =>
      el(
        'figure',
        { class: 'card-passage' },
        el('blockquote', { dir: 'auto' }, visible(text)),
        el(
          'figcaption',
          {},
          `From “`,
          visible(title),
          `”, which came from outside. ${shared_words} of the draft’s words (${Math.round(share * 100)} %) stand in it.`,
        ),
      ),
    ),
  )
}

/** What is shown unasked: a passage that half of the draft's words stand in, when those are more than a few. */
const isTelling = ({ share, shared_words }: Card['provenance']['passages'][number]) =>
  share >= 0.5 && shared_words >= 6

const title = (count: number, outside: number) =>
  `Made after reading ${count} ${count === 1 ? 'text' : 'texts'}${outside > 0 ? `, ${outside} from outside` : ''}`

function renderSource(
  { entity_type, entity_id, title, origin, untrusted, given_by }: ProvenanceSource,
  slug: string | null,
) {
  const href = slug && entityHref(slug, entity_type, entity_id)
  return el(
    'li',
    {},
    kindIcon(entity_type),
    href ? el('a', { href }, visible(title)) : el('span', {}, visible(title)),
    el('span', { class: 'dim' }, ways[given_by]),
    untrusted && el('span', { class: 'badge badge-amber' }, `from ${origin ?? 'outside'}`),
  )
}

const ways = { read: 'read', search: 'found', view: 'was open', tool: 'from a tool' } as const
