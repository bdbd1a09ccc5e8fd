import type { ViewContext } from '../../app/view.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { el } from '../../ui/dom.ts'
import { canConnect, connectSetups } from './client-setups.ts'
import { copyRow } from './copy-row.ts'
import { firstConnection } from './first-call.ts'

/** Shows what connects common programs without a token: they send the browser here, where the owner decides. */
export function showConnectAgent({ app, refresh }: Pick<ViewContext, 'app' | 'refresh'>): void {
  const closed = new AbortController()
  const { origin } = location
  const dialog = showDialog(
    {
      title: 'Connect an agent',
      name: 'token',
      onClose: () => {
        closed.abort()
        void refresh()
      },
    },
    canConnect(origin)
      ? [
          el(
            'p',
            {},
            'Add Void to the program. It then opens this browser, and you choose what it may read and whether it may draft.',
          ),
          connectSetups(origin).map((setup) => copyRow(app, { ...setup, id: `connect-${setup.id}` }).row),
          firstConnection(app, closed.signal),
        ]
      : el(
          'p',
          {},
          'Programs can be connected over https, or on the computer that runs Void. Add an agent and create a token for it instead.',
        ),
    el(
      'div',
      { class: 'row' },
      el('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, 'Done'),
    ),
  )
}
