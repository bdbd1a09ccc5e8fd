// The commands of the Space that a `/` offers, and the dialog in which one from outside is approved.

import type { Command } from '../../../lib/contract/companion/commands.ts'
import { maxCommandName } from '../../../lib/contract/limits.ts'
import type { List } from '../../../lib/contract/list.ts'
import { wideSlugOf } from '../../../lib/core/text/slug.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import type { App } from '../../app/app.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { visible } from '../../ui/components/visible.ts'
import { el } from '../../ui/dom.ts'
import { entityHref } from '../../ui/words/addresses.ts'

/** Those of the Space whose name begins like that; the latest answer at hand while the next one is on its way. */
export function createCommandFinder({ api, state }: App) {
  let latest: { space_id: string; items: readonly Command[] } | null = null
  let isLoading = false

  return {
    cached(start: string): Command[] {
      const { space } = state.get()
      if (latest?.space_id !== space?.id) return []
      return (latest?.items ?? []).filter((command) => fits(command, wideSlugOf(start, maxCommandName)))
    },

    /** Calls back when the list is another one than before. */
    async load(onLoad: () => void): Promise<void> {
      const { space } = state.get()
      if (!space || isLoading) return
      isLoading = true
      const answer = await api.get<List<Command>>(`/api/spaces/${space.id}/commands`).catch(() => null)
      isLoading = false
      if (!answer) return
      latest = { space_id: space.id, items: answer.items }
      onLoad()
    },
  }
}

const fits = ({ name }: Command, start: string): boolean =>
  name.startsWith(start) || name.split('-').some((word) => word.startsWith(start))

/** Shows the text of a command from outside; `onApprove` is called once the owner has approved it. */
export function showApproval(app: App, command: Command, onApprove: () => void): void {
  const space = app.state.get().spaces.find(({ id }) => id === command.space_id)
  const href = space && entityHref(space.slug, 'page', command.id)
  const approve = el(
    'button',
    { class: 'button button-primary', type: 'button', onclick: () => toastFailure(app, run()) },
    'Approve',
  )
  const dialog = showDialog(
    { title: `Approve /${command.name}?`, name: 'command' },
    el(
      'p',
      {},
      'This text is from outside. Approved, it is sent as your own words whenever you use the command, until it changes.',
    ),
    el('pre', { class: 'companion-words', tabindex: 0 }, visible(command.prompt)),
    el(
      'div',
      { class: 'row' },
      href && el('a', { class: 'button', href, onclick: () => dialog.close() }, 'Open page'),
      approve,
    ),
  )

  async function run(): Promise<void> {
    const path = `/api/spaces/${command.space_id}/commands/${command.id}/approve`
    await app.api.post(path, { version: command.version })
    dialog.close()
    onApprove()
  }
}
