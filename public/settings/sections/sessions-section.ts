import type { OwnerSession } from '../../../lib/contract/auth.ts'
import type { List } from '../../../lib/contract/list.ts'
import { messageOf } from '../../app/api/api.ts'
import { clearStorage } from '../../app/storage/clear-storage.ts'
import type { ViewContext } from '../../app/view.ts'
import { leaveFor } from '../../ui/address.ts'
import { type Child, el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { defineSection } from '../parts/section.ts'
import { hintedRow, valueRow } from '../parts/setting.ts'
import { withConfirmation } from '../passkeys/with-confirmation.ts'

export const sessionsSection = defineSection<List<OwnerSession>>({
  load: ({ api }) => api.get('/api/sessions'),
  render: ({ items }, context) => [
    el('h2', {}, 'Sessions'),
    el(
      'p',
      { class: 'dim' },
      'Browsers that are signed in. A session ends after a week without use, or 30 days after you signed in.',
    ),
    items.length > 0
      ? el(
          'section',
          { 'aria-label': 'Sessions' },
          items.map((session) => renderSession(session, context)),
        )
      : el('p', { class: 'dim' }, 'No browser is signed in. A browser that signs in is listed here.'),
    renderSignOutEverywhere(context),
  ],
})

function renderSession({ id, device, last_used_at, current }: OwnerSession, context: ViewContext): Child {
  const { app, refresh, now } = context
  const name = device || 'Unknown device'
  const signOut = async () => {
    try {
      if (!(await withConfirmation(() => app.api.delete(`/api/sessions/${id}`)))) return
      app.toast(`Signed out ${name}.`)
      await refresh()
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
  }
  return valueRow(
    name,
    el('span', { class: 'grow dim' }, 'Last used ', timeAgo(last_used_at, now)),
    current
      ? el('span', { class: 'badge' }, 'this browser')
      : el(
          'button',
          {
            class: 'button button-small',
            type: 'button',
            'aria-label': `Sign out ${name}`,
            onclick: signOut,
          },
          'Sign out',
        ),
  )
}

function renderSignOutEverywhere({ app }: ViewContext): HTMLElement {
  const signOut = async () => {
    try {
      if (!(await withConfirmation(() => app.api.delete('/api/sessions')))) return
      clearStorage()
      leaveFor('/sign-in')
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
  }
  const label = 'Sign out everywhere'
  return hintedRow(
    'All browsers',
    'This also clears this browser’s open tabs and unsaved text',
    el('button', { class: 'button button-small button-danger', type: 'button', onclick: signOut }, label),
  )
}
