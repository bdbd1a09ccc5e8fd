import type { Card, ReplyDelivery } from '../../../../lib/contract/changes/card.ts'
import { messageOf } from '../../../app/api/api.ts'
import { quoted } from '../../../ui/components/visible.ts'
import { el } from '../../../ui/dom.ts'
import type { CardOptions } from '../draft/card-state.ts'

const maxErrorChars = 500

/** Where an approved reply is, and how to open it where it is not in a Drafts folder. */
export function renderReply(
  { card: { entity_id }, delivery, id }: { card: Card; delivery: ReplyDelivery; id: string },
  { app }: CardOptions,
): HTMLElement {
  const { state, error, folder } = delivery
  const deliver = async () => {
    try {
      await app.api.post(`/api/replies/${entity_id}/deliver`)
    } catch (problem) {
      app.toast(messageOf(problem), { tone: 'problem' })
    }
  }
  return el(
    'p',
    { class: 'card-decision' },
    stateText(state, folder),
    error !== null && [' ', quoted(error, maxErrorChars)],
    ' ',
    state !== 'delivered' && [
      el(
        'a',
        {
          class: 'button button-small',
          href: `/api/replies/${entity_id}/file`,
          download: 'reply.eml',
          id: `${id}-file`,
        },
        'Open as file',
      ),
      ' ',
      el(
        'button',
        { class: 'button button-small', type: 'button', id: `${id}-deliver`, onclick: deliver },
        state === 'waiting' ? 'Try now' : 'Save to Drafts',
      ),
    ],
  )
}

function stateText(state: ReplyDelivery['state'], folder: string | null): (string | HTMLElement)[] {
  switch (state) {
    case 'waiting':
      return ['Waiting to be saved to your Drafts folder.']
    case 'delivered':
      return ['It is in your mail program under ', quoted(folder ?? 'Drafts', 120), '. Send it from there.']
    case 'file':
      return [
        'Not saved to Drafts: the account does not allow it. Open it as a file, or allow drafts in Settings.',
      ]
    case 'failed':
      return ['Could not be saved to Drafts.']
    case 'unknown':
      return ['It may have been saved to Drafts.']
  }
}
