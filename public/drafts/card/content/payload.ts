import type { Card } from '../../../../lib/contract/changes/card.ts'
import type { PendingChange } from '../../../../lib/contract/changes/pending-change.ts'
import { type Api, messageOf } from '../../../app/api/api.ts'
import { visible } from '../../../ui/components/visible.ts'
import { el } from '../../../ui/dom.ts'

/** The stored payload, loaded when it is opened, with the hash that the decision names. */
export function renderPayload(api: Pick<Api, 'get'>, card: Card, id: string): HTMLElement {
  const place = el('div', { class: 'card-payload' })
  return el(
    'details',
    { class: 'card-more', id, ontoggle: load },
    el('summary', {}, 'Raw change (JSON)'),
    place,
  )

  async function load(): Promise<void> {
    if (place.childElementCount > 0) return
    try {
      const { payload, payload_sha256 } = await api.get<PendingChange>(
        `/api/pending-changes/${card.pending_change_id}`,
      )
      place.replaceChildren(
        el('p', { class: 'mono small dim' }, `SHA-256 ${payload_sha256}`),
        el('pre', { tabindex: 0, 'aria-label': 'Raw change' }, visible(JSON.stringify(payload, null, 2))),
      )
    } catch (error) {
      place.replaceChildren(el('p', { class: 'problem' }, messageOf(error)))
    }
  }
}
