import type { Card, CardLine } from '../../../../lib/contract/changes/card.ts'
import type { ChangeSince, Conflict, Derivation, Side } from '../../../../lib/contract/changes/decision.ts'
import { fieldLabel } from '../../../../lib/core/text/properties/field-label.ts'
import { icon } from '../../../ui/components/icon.ts'
import { tooComplex, visible } from '../../../ui/components/visible.ts'
import { type Child, el } from '../../../ui/dom.ts'
import { timeAgo } from '../../../ui/time.ts'
import { kindLabel } from '../../../ui/words/addresses.ts'
import { fieldValue } from '../../../ui/words/field-value.ts'
import { actorName } from '../../../ui/words/names.ts'

/** Why a draft is stale, and what has changed since it was made; `null` when it is not. */
export function renderStale(card: Card, now: Date): HTMLElement | null {
  const { stale } = card
  if (card.status !== 'pending' || !stale) return null
  const kind = kindLabel(card.entity_type).toLowerCase()
  const since = stale.since ?? []
  return el(
    'div',
    { class: 'card-stale' },
    el(
      'p',
      {},
      icon('warning'),
      el(
        'span',
        {},
        stale.current_version === null
          ? `The ${kind} was deleted, so there is nothing to change. You can create a page from the draft.`
          : `The ${kind} has changed since this was drafted (version ${stale.base_version}, now ` +
              `${stale.current_version}). Update the draft to merge both changes, then approve it.`,
      ),
    ),
    since.length > 0 &&
      el(
        'ul',
        { class: 'card-since', 'aria-label': 'Changes since the draft' },
        since.map((entry) => renderEntry(entry, card, now)),
      ),
  )
}

function renderEntry({ at, by, action, fields }: ChangeSince, { references }: Card, now: Date): HTMLElement {
  const who = by === 'owner' ? 'You' : actorName(by)
  const did = { create: 'created it', delete: 'deleted it', restore: 'restored it' }[action]
  const names = fields.map(({ name }) => fieldLabel(name).toLowerCase()).join(', ')
  return el(
    'li',
    {},
    `${who} ${did ?? `changed ${names || 'it'}`} `,
    timeAgo(at, now),
    fields.map(({ name, before, after, long }): Child => {
      if (long) return null
      const render = (value: unknown) => visible(fieldValue({ name, value }, { references, now }))
      return el(
        'span',
        { class: 'since-field' },
        el('del', {}, render(before)),
        ' → ',
        el('ins', {}, render(after)),
      )
    }),
  )
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
  rest: 'The remaining changes of a draft that you decided in part.',
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
      el('span', {}, label, el('pre', { dir: 'auto' }, visible(textOf(conflict[side])))),
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

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '(empty)'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
