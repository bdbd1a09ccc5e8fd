import type { Card, CardLine } from '../../../../lib/contract/changes/card.ts'
import type { Derivation } from '../../../../lib/contract/changes/decision.ts'
import { type Child, el } from '../../../ui/dom.ts'

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
