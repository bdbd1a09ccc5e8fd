import type { BlameChange, BlameDraft } from '../../../lib/contract/changes/blame.ts'
import type { Provenance, ProvenanceSource } from '../../../lib/contract/changes/provenance.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { icon, kindIcon } from '../../ui/components/icon.ts'
import { agentName, quoted, visible } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { entityHref, spaceHref } from '../../ui/words/addresses.ts'
import { actorName, actorNameFirst } from '../../ui/words/names.ts'

export type WriterContext = {
  slug: string
  now: Date
  /** The address of the history; `null` where it has none. */
  history: string | null
}

/** The writer of some words: the change, who approved it, its turn and its sources. `words` only with several writers. */
export function renderWriter(
  change: BlameChange | null,
  words: string | null,
  { slug, now, history }: WriterContext,
): HTMLElement {
  return el(
    'li',
    { class: 'writer', 'data-by': change === null ? 'nobody' : originOf(change) },
    words !== null && el('span', { class: 'writer-words' }, quoted(words, 200)),
    change === null
      ? el('p', {}, 'This text is older than the searched history.')
      : [
          el(
            'p',
            { class: 'writer-who' },
            el('strong', {}, whoWrote(change)),
            ' ',
            timeAgo(change.at, now),
            approval(change, now),
          ),
          change.outside && el('p', {}, el('span', { class: 'badge badge-amber' }, 'from outside')),
          change.draft && renderDraft(change.draft, slug),
          !change.draft &&
            history !== null &&
            el('p', {}, el('a', { class: 'button button-small', href: history }, icon('clock'), 'History')),
        ],
  )
}

const originOf = ({ draft, outside, actor }: BlameChange): string =>
  draft ? 'agent' : outside ? 'outside' : actor === 'owner' ? 'owner' : 'void'

function whoWrote({ actor, action, outside, draft }: BlameChange): Child {
  if (draft) {
    return draft.derivation === 'edited' || draft.derivation === 'resolved'
      ? [agentName(draft.agent), ' drafted this, edited by you']
      : [agentName(draft.agent), ' wrote this']
  }
  if (outside)
    return `${actorNameFirst(actor) === 'An import' ? 'Imported' : `${actorNameFirst(actor)} imported this`}`
  if (actor === 'owner') return action === 'create' ? 'You created this' : 'You wrote this'
  return `${actorNameFirst(actor)} wrote this`
}

function approval({ draft, at }: BlameChange, now: Date): Child {
  if (!draft) return null
  const { approved } = draft
  return [
    `. Approved by ${actorName(approved.by)}`,
    Math.abs(Date.parse(approved.at) - Date.parse(at)) > 60_000 && [' ', timeAgo(approved.at, now)],
    '.',
  ]
}

function renderDraft(
  { pending_change_id, agent, note, asked, turn, provenance }: BlameDraft,
  slug: string,
): Child {
  return [
    asked && el('p', {}, 'You asked ', quoted(asked, 200)),
    note &&
      el(
        'div',
        {},
        el('span', { class: 'card-label' }, 'Note from ', agentName(agent)),
        el('blockquote', { class: 'agent-words', dir: 'auto' }, visible(note)),
      ),
    provenance && renderSources(provenance, slug),
    el(
      'p',
      { class: 'row' },
      el(
        'a',
        { class: 'button button-small', href: `/inbox/${pending_change_id}?tab=decided` },
        icon('inbox'),
        'Open draft',
      ),
      turn?.conversation &&
        el(
          'a',
          {
            class: 'button button-small',
            href: `${spaceHref(slug)}?turn=${turn.id}`,
            title: quoteShown(turn.conversation.title),
          },
          icon('companion'),
          'Open conversation',
        ),
    ),
  ]
}

function renderSources(provenance: Provenance, slug: string): Child {
  const { known, sources, more } = provenance
  if (!known) return el('p', { class: 'dim' }, 'Sources unknown.')
  if (sources.length === 0) return el('p', { class: 'dim' }, 'No sources read.')
  return [
    el('p', { class: 'dim small' }, 'Sources'),
    el(
      'ul',
      { class: 'card-sources' },
      sources.map((source) => renderSource(source, provenance, slug)),
      more > 0 && el('li', { class: 'dim' }, `and ${more} more`),
    ),
  ]
}

function renderSource(source: ProvenanceSource, provenance: Provenance, slug: string): HTMLElement {
  const { entity_type, entity_id, title, origin, untrusted } = source
  const cited = passageOf(source, provenance)
  const href = entityHref(slug, entity_type, entity_id, cited ?? undefined)
  return el(
    'li',
    {},
    kindIcon(entity_type),
    href ? el('a', { href }, quoted(title)) : quoted(title),
    untrusted && el('span', { class: 'badge badge-amber' }, `from ${origin ?? 'outside'}`),
    cited !== null && el('span', { class: 'writer-passage dim' }, quoted(cited, 200)),
  )
}

/** The quote from a source, or the passage closest to the draft. */
function passageOf({ entity_id }: ProvenanceSource, { quotes, passages }: Provenance): string | null {
  const quoted = quotes.find(
    ({ source, verdict }) => source?.entity_id === entity_id && verdict === 'verbatim',
  )
  return quoted?.quote ?? passages.find((passage) => passage.entity_id === entity_id)?.text ?? null
}
