import type { AgentToken } from '../../../lib/contract/agents.ts'
import type { App } from '../../app/app.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { el } from '../../ui/dom.ts'
import { tokenSetups } from './client-setups.ts'
import { copyRow } from './copy-row.ts'
import { firstCall } from './first-call.ts'

/** A token as it is answered once. */
export type NewToken = AgentToken & { token: string }

/** Shows a new token, and what connects common programs with it. Nothing of this can be shown again. */
export function showToken(made: NewToken, app: App): void {
  const closed = new AbortController()
  const first = copyRow(app, { id: 'new-token', label: 'Token', value: made.token })
  const dialog = showDialog(
    { title: 'New token', name: 'token', onClose: () => closed.abort() },
    el('p', {}, 'Copy this token now. Void stores only its hash and cannot show it again.'),
    first.row,
    tokenSetups(location.origin, made.token).map(
      (setup) => copyRow(app, { ...setup, id: `new-token-${setup.id}` }).row,
    ),
    firstCall(app, made, closed.signal),
    el(
      'div',
      { class: 'row' },
      el('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, 'Done'),
    ),
  )
  first.copy.focus()
}
