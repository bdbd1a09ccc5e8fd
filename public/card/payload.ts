import type { Card, PendingChange } from '../../lib/contract/card.ts'
import { type Api, messageOf } from '../api.ts'
import { visible } from '../components/visible.ts'
import { el } from '../dom.ts'

/** The exact payload, asked for when it is opened, with the hash that the decision is bound to. */
export function renderPayload(api: Pick<Api, 'get'>, card: Card, id: string): HTMLElement {
  const place = el('div', { class: 'card-payload' })
  return el('details', { class: 'card-more', id, ontoggle: load }, el('summary', {}, 'Exact payload'), place)

  async function load(): Promise<void> {
    if (place.childElementCount > 0) return
    try {
      const { payload, payload_sha256 } = await api.get<PendingChange>(
        `/api/pending-changes/${card.pending_change_id}`,
      )
      place.replaceChildren(
        el('p', { class: 'mono small dim' }, `SHA-256 ${payload_sha256}`),
        el('pre', { tabindex: 0, 'aria-label': 'Payload' }, visible(JSON.stringify(payload, null, 2))),
      )
    } catch (error) {
      place.replaceChildren(el('p', { class: 'problem' }, messageOf(error)))
    }
  }
}
