import type { MailAccount, MailAccountState, MailTest } from '../../../lib/contract/mail.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { renderArmedButton } from '../../ui/components/armed-button.ts'
import { quoted } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { closeForm, renderEditForm } from '../parts/edit-form.ts'
import { createToastChange } from '../parts/toast-change.ts'
import { renderAccountForm } from './account-form.ts'
import { renderFolderChoice } from './folder-choice.ts'

const stateWords: Record<MailAccountState, string> = {
  waiting: 'waiting',
  connecting: 'connecting',
  syncing: 'syncing',
  watching: 'up to date',
  retrying: 'retrying',
  stopped: 'stopped',
  paused: 'paused',
}

/** An account with its state, and what can be done with it. */
export function renderAccount(account: MailAccount, context: ViewContext): HTMLElement {
  const { address, host, port, state, error, last_sync_at, messages, unreadable } = account
  return el(
    'article',
    { class: 'agent', 'aria-label': address },
    el(
      'div',
      { class: 'agent-head' },
      el('strong', {}, quoteShown(address)),
      el('span', { class: 'badge' }, stateWords[state]),
    ),
    el(
      'p',
      { class: 'dim small' },
      `${host}:${port} · ${messages} ${messages === 1 ? 'message' : 'messages'}`,
      unreadable > 0 && ` · ${unreadable} could not be read`,
      last_sync_at !== null && [' · synced ', timeAgo(last_sync_at, context.now)],
    ),
    error !== null && el('p', { class: 'problem' }, quoted(error, 400)),
    renderActions(account, context),
    renderEdit(account, context),
  )
}

function renderActions({ id, address, state }: MailAccount, context: ViewContext): Child {
  const { app } = context
  const change = createToastChange(context)
  const path = `/api/mail-accounts/${id}`
  const isPaused = state === 'paused'
  const button = (label: string, name: string, onclick: () => Promise<void>) =>
    el('button', { class: 'button button-small', type: 'button', id: `${name}-${id}`, onclick }, label)
  const remove = (mail: 'keep' | 'delete', label: string) =>
    renderArmedButton({
      label,
      name: address,
      id: `remove-${mail}-${id}`,
      press: () =>
        void change(() => app.api.delete(`${path}?mail=${mail}`), `Removed ${quoteShown(address)}.`),
    })
  return el(
    'div',
    { class: 'row' },
    button('Test', 'test', () => testAccount(context, id)),
    button('Sync now', 'sync', () => change(() => app.api.post(`${path}/sync`), 'Sync requested.')),
    button(isPaused ? 'Resume' : 'Pause', 'pause', () =>
      change(() => app.api.patch(path, { paused: !isPaused }), isPaused ? 'Resumed.' : 'Paused.'),
    ),
    remove('keep', 'Remove, keep mail'),
    remove('delete', 'Remove with mail'),
  )
}

/** Says in a toast whether the account can be read. */
export async function testAccount({ app, refresh }: ViewContext, id: string): Promise<void> {
  try {
    const { ok, error, folders } = await app.api.post<MailTest>(`/api/mail-accounts/${id}/test`)
    if (ok) app.toast(`Signed in. Reads ${folders.map((folder) => quoteShown(folder)).join(', ')}.`)
    else app.toast(error ?? 'The test failed.', { tone: 'problem' })
    await refresh()
  } catch (error) {
    app.toast(messageOf(error), { tone: 'problem' })
  }
}

function renderEdit(account: MailAccount, context: ViewContext): HTMLElement {
  const { id, address } = account
  const folders = renderFolderChoice(account, context.app.api)
  return renderEditForm(
    { id, name: address },
    renderAccountForm({ account, label: 'Save', onSave: save, folders }),
  )

  async function save(fields: Record<string, unknown>): Promise<void> {
    await context.app.api.patch(`/api/mail-accounts/${id}`, fields)
    closeForm(`edit-${id}`)
    await testAccount(context, id)
  }
}
