import type { BlameChange, BlameDraft } from '../../lib/contract/blame.ts'
import type { Provenance, ProvenanceSource } from '../../lib/contract/card.ts'
import { actorName, actorNameFirst } from '../actor-name.ts'
import { entityHref, spaceHref } from '../addresses.ts'
import { icon, kindIcon } from '../components/icon.ts'
import { visible } from '../components/visible.ts'
import { type Child, el } from '../dom.ts'
import { timeAgo } from '../time.ts'

export type WriterContext = {
  slug: string
  now: Date
  /** Where the history of the thing is; `null` where it has no address. */
  history: string | null
}

/** Who wrote some words: the change, who approved it, its turn and its sources. `words` only where others wrote too. */
export function renderWriter(
  change: BlameChange | null,
  words: string | null,
  { slug, now, history }: WriterContext,
): HTMLElement {
  return el(
    'li',
    { class: 'writer', 'data-by': change === null ? 'nobody' : bearerOf(change) },
    words !== null && el('q', { class: 'writer-words', dir: 'auto' }, visible(words)),
    change === null
      ? el('p', {}, 'These words are older than the changes that Void looks through.')
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

const bearerOf = ({ draft, outside, actor }: BlameChange): string =>
  draft ? 'agent' : outside ? 'outside' : actor === 'owner' ? 'owner' : 'void'

function whoWrote({ actor, action, outside, draft }: BlameChange): string {
  if (draft) {
    return draft.derivation === 'edited' || draft.derivation === 'resolved'
      ? `${draft.agent.name} drafted this, and you had a hand in it`
      : `${draft.agent.name} wrote this`
  }
  if (outside) return `${actorNameFirst(actor)} brought this in`
  if (actor === 'owner') return action === 'create' ? 'You wrote this to begin with' : 'You wrote this'
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

function renderDraft({ pending_change_id, note, asked, turn, provenance }: BlameDraft, slug: string): Child {
  return [
    asked && el('p', {}, 'You had said ', el('q', { dir: 'auto' }, visible(short(asked)))),
    note &&
      el(
        'p',
        {},
        el('span', { class: 'card-label' }, 'Agent’s note'),
        ' ',
        el('span', { dir: 'auto' }, visible(note)),
      ),
    provenance && renderSources(provenance, slug),
    el(
      'p',
      { class: 'row' },
      el(
        'a',
        { class: 'button button-small', href: `/inbox/${pending_change_id}?tab=decided` },
        icon('inbox'),
        'See the draft',
      ),
      turn?.conversation &&
        el(
          'a',
          {
            class: 'button button-small',
            href: `${spaceHref(slug)}?turn=${turn.id}`,
            title: turn.conversation.title,
          },
          icon('companion'),
          'Open the conversation',
        ),
    ),
  ]
}

function renderSources(provenance: Provenance, slug: string): Child {
  const { known, sources, more } = provenance
  if (!known) return el('p', { class: 'dim' }, 'What was read before it is not known.')
  if (sources.length === 0) return el('p', { class: 'dim' }, 'Nothing was read for it.')
  return [
    el('p', { class: 'dim small' }, 'Made from'),
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
    href ? el('a', { href }, visible(title)) : el('span', {}, visible(title)),
    untrusted && el('span', { class: 'badge badge-amber' }, `from ${origin ?? 'outside'}`),
    cited !== null && el('q', { class: 'writer-passage dim', dir: 'auto' }, visible(short(cited))),
  )
}

/** What was quoted of a source, or what of it comes nearest to the draft. */
function passageOf({ entity_id }: ProvenanceSource, { quotes, passages }: Provenance): string | null {
  const quoted = quotes.find(
    ({ source, verdict }) => source?.entity_id === entity_id && verdict === 'verbatim',
  )
  return quoted?.quote ?? passages.find((passage) => passage.entity_id === entity_id)?.text ?? null
}

const short = (text: string) => (text.length > 200 ? `${text.slice(0, 199)}…` : text)
