import type { Card, CardLine, StaleField } from '../../../../lib/contract/changes/card.ts'
import type { ChangeSince, Conflict, Derivation, Side } from '../../../../lib/contract/changes/decision.ts'
import type { DiffPart } from '../../../../lib/contract/changes/text-change.ts'
import { diffWords } from '../../../../lib/core/text/diff/diff-words.ts'
import { fieldLabel } from '../../../../lib/core/text/properties/field-label.ts'
import { icon } from '../../../ui/components/icon.ts'
import { tooComplex, visible } from '../../../ui/components/visible.ts'
import { plural, type ShownPart } from '../../../ui/diff/diff-hunk.ts'
import { type Child, el } from '../../../ui/dom.ts'
import { timeAgo } from '../../../ui/time.ts'
import { kindLabel } from '../../../ui/words/addresses.ts'
import { actorName } from '../../../ui/words/names.ts'

/** Why a draft is stale, and what has happened since it was made, in that order; `null` when it is not. */
export function renderStale(card: Card, now: Date): HTMLElement | null {
  const { stale } = card
  if (card.status !== 'pending' || !stale) return null
  const kind = kindLabel(card.entity_type).toLowerCase()
  const since = (stale.since ?? []).toReversed()
  const [only] = since
  const versions = `Version ${stale.base_version} when drafted, now ${stale.current_version ?? 'deleted'}`
  return el(
    'div',
    { class: 'card-stale' },
    el(
      'p',
      { title: versions },
      icon('clock'),
      el(
        'span',
        {},
        stale.current_version === null
          ? `The ${kind} was deleted after this was drafted. You can create a page from the draft.`
          : [
              since.length === 1 && only
                ? [...did(only), ', after this was drafted. ']
                : `The ${kind} has changed since this was drafted. `,
              'Update the draft to merge both changes.',
            ],
      ),
    ),
    since.length > 1 &&
      el(
        'ol',
        { class: 'card-since', 'aria-label': 'What happened, oldest first' },
        el('li', {}, 'Drafted ', timeAgo(card.created_at, now)),
        since.map((entry) => el('li', {}, did(entry))),
      ),
  )

  /** Who did what, and when. */
  function did({ at, by, action, fields }: ChangeSince): Child[] {
    const who = by === 'owner' ? 'You' : actorName(by)
    const whole = { create: 'created it', delete: 'deleted it', restore: 'restored it' }[action]
    const names = fields.map(({ name }) => fieldLabel(name).toLowerCase())
    return [`${who} ${whole ?? `changed ${names.length > 0 ? list.format(names) : 'it'}`} `, timeAgo(at, now)]
  }
}

const list = new Intl.ListFormat('en')

/**
 * The places at which the draft, the present state and what the draft was made against differ, each with its words marked;
 * `null` where they were not compared.
 */
export function renderComparison({ stale, entity_type }: Card): Child {
  if (!stale?.fields) return null
  const kind = kindLabel(entity_type)
  return stale.fields.map(({ name, label, places, more }) =>
    el(
      'section',
      { class: 'stale-field' },
      el('p', { class: ['card-text-label', stale.fields?.length === 1 && 'visually-hidden'] }, label),
      places.map((place) => el('dl', { class: 'stale-place', 'data-field': name }, rowsOf(place, kind))),
      more > 0 && el('p', { class: 'diff-gap' }, `${plural(more, 'more place')} not shown`),
    ),
  )
}

type Place = StaleField['places'][number]

function rowsOf({ current, draft }: Place, kind: string): Child {
  const isChanged = (parts: readonly DiffPart[]) => parts.some((part) => part.kind !== 'same')
  const base = current.filter((part) => part.kind !== 'added').map(textOfPart)
  if (!isChanged(current)) return [row(`${kind} now`, base), row('Draft', renderMarked(draft, 'draft'))]
  return [
    row('When drafted', base),
    row(`${kind} now`, renderMarked(current, 'current')),
    isChanged(draft) && row('Draft', renderMarked(draft, 'draft')),
  ]
}

const row = (name: string, words: Child): HTMLElement =>
  el('div', {}, el('dt', {}, name), el('dd', { dir: 'auto' }, words))

const textOfPart = ({ text, folded = 0 }: ShownPart): Child => [
  visible(text),
  folded > 0 && el('span', { class: 'diff-gap' }, ` … ${plural(folded, 'character')} not shown`),
]

/** A side with the words marked in which it differs. What it took away shows only where nothing came in its place. */
function renderMarked(parts: readonly ShownPart[], side: Side): Child {
  return parts.map((part, index) => {
    if (part.kind === 'same') return textOfPart(part)
    if (part.kind === 'added') return el('mark', { class: `mark-${side}` }, textOfPart(part))
    const isReplaced = parts[index + 1]?.kind === 'added'
    return !isReplaced && el('del', { class: `mark-${side}` }, textOfPart(part))
  })
}

/** Which draft this one replaces, and which one replaced it. */
export function renderSuccession({ derivation, supersedes, superseded_by, status }: Card): Child {
  const parts: Child[] = [
    supersedes && [origins[derivation], ' ', el('a', { href: hrefOf(supersedes) }, 'Show earlier draft')],
    superseded_by && [
      status === 'approved' || status === 'rejected'
        ? 'The remaining changes are in a separate draft.'
        : 'Replaced by a newer draft.',
      ' ',
      el('a', { href: hrefOf(superseded_by) }, 'Show draft'),
    ],
  ].filter(Boolean)
  return parts.map((part) => el('p', { class: 'card-succession' }, part))
}

const hrefOf = (id: CardLine['pending_change_id']) => `/inbox/${encodeURIComponent(id)}`

const origins: Record<Derivation, string> = {
  proposed: 'Replaces an earlier draft.',
  revised: 'The agent revised an earlier draft.',
  extended: 'Builds on a draft that was waiting, and contains its changes.',
  edited: 'You edited an earlier draft.',
  rest: 'You left these changes out when you decided on the others of this draft. They are still pending.',
  merged: 'An earlier draft, merged with the changes since.',
  resolved: 'An earlier draft, merged with the versions that you chose.',
  rescued: 'Created from a draft whose target was deleted.',
}

/** The conflicts of a merge, each with its versions: the owner chooses one of each before the draft can be approved. */
export function renderConflicts(conflicts: readonly Conflict[], id: string): Child {
  return conflicts.map((conflict) =>
    el(
      'fieldset',
      { class: 'card-conflict' },
      el(
        'legend',
        {},
        `Changed on both sides${conflict.at === null ? `: ${conflict.field.replaceAll('_', ' ')}` : ''}`,
      ),
      conflict.too_complex && tooComplex('The change', 'Its text is shown as it is.'),
      option(conflict, 'current', 'Keep current version'),
      option(conflict, 'draft', 'Use draft version'),
      el(
        'details',
        { class: 'card-more', id: `${id}-base-${conflict.index}` },
        el('summary', {}, 'Original version'),
        el('pre', { dir: 'auto' }, visible(textOf(conflict.base))),
      ),
    ),
  )

  function option(conflict: Conflict, side: Side, label: string): HTMLElement {
    const name = `${id}-side-${conflict.index}`
    return el(
      'label',
      { class: 'card-side' },
      el('input', {
        type: 'radio',
        name,
        id: `${name}-${side}`,
        value: side,
        'data-conflict': conflict.index,
      }),
      el('span', {}, label, el('pre', { dir: 'auto' }, renderSide(conflict, side))),
    )
  }
}

/** The sides chosen so far, by the index of the conflict. */
export function chosenSides(card: Element): Record<string, Side> {
  const chosen = [...card.querySelectorAll<HTMLInputElement>('input[data-conflict]:checked')]
  return Object.fromEntries(
    chosen.map(({ dataset, value }) => [dataset.conflict ?? '', value === 'draft' ? 'draft' : 'current']),
  )
}

/** In characters: longer sides are shown without marks. */
const maxMarked = 50_000

function renderSide({ base, current, draft, too_complex }: Conflict, side: Side): Child {
  const text = textOf(side === 'current' ? current : draft)
  const then = textOf(base)
  if (too_complex || base === null || text.length + then.length > maxMarked) return visible(text)
  return renderMarked(diffWords(then, text), side)
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '(empty)'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
