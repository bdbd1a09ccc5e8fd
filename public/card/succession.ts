import type { Card, CardLine } from '../../lib/contract/card.ts'
import type { Derivation } from '../../lib/contract/decision.ts'
import { type Child, el } from '../dom.ts'

/** Which draft this one takes the place of, and which one took its place. */
export function renderSuccession({ derivation, supersedes, superseded_by, status }: Card): Child {
  const parts: Child[] = [
    supersedes && [origins[derivation], ' ', el('a', { href: hrefOf(supersedes) }, 'See the earlier one')],
    superseded_by && [
      status === 'approved' ? 'The rest of it waits as a draft of its own.' : 'A newer draft took its place.',
      ' ',
      el('a', { href: hrefOf(superseded_by) }, 'See it'),
    ],
  ].filter(Boolean)
  return parts.map((part) => el('p', { class: 'card-succession' }, part))
}

const hrefOf = (id: CardLine['pending_change_id']) => `/inbox/${encodeURIComponent(id)}`

const origins: Record<Derivation, string> = {
  proposed: 'It takes the place of an earlier draft.',
  revised: 'The agent has revised an earlier draft.',
  edited: 'You edited an earlier draft.',
  rest: 'The rest of a draft that you approved in part.',
  merged: 'Merged with what changed since the earlier draft.',
  resolved: 'Merged, with the sides that you chose.',
  rescued: 'Made from a draft whose target was gone.',
}
