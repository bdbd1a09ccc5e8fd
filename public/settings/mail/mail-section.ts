import type { Space } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import type {
  MailAccount,
  MailAccountState,
  MailServerProposal,
  MailTest,
} from '../../../lib/contract/mail.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { messageOf } from '../../app/api/api.ts'
import { changeQuery, type ViewContext } from '../../app/view.ts'
import { renderArmedButton } from '../../ui/components/armed-button.ts'
import { isolated } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { closeForm, createToastChange, defineSection, showFormAgain } from '../parts/section.ts'
import { fieldRow, formRow, hintedRow, renderThing, valueRow } from '../parts/setting.ts'
import { renderAccountForm } from './account-form.ts'
import { renderFolderChoice } from './folder-choice.ts'
import { renderMissingFolders } from './missing-folders.ts'

type Data = { space: Space; accounts: MailAccount[] }[]

/** The mail accounts of every Space. */
export const mailSection = defineSection<Data>({
  async load({ api }) {
    const { items } = await api.get<List<Space>>('/api/spaces?limit=200')
    return await Promise.all(
      items.map(async (space) => {
        const { items: accounts } = await api.get<List<MailAccount>>(`/api/spaces/${space.id}/mail-accounts`)
        return { space, accounts }
      }),
    )
  },
  render: (data, context) => [
    el(
      'p',
      { class: 'dim' },
      'Mailboxes that a Space reads over IMAP. Nothing on the server is marked, moved or deleted, and nothing is sent. Replies that you approve become drafts there if you allow it.',
    ),
    data
      .filter(({ accounts }) => accounts.length > 0)
      .map(({ space, accounts }) =>
        el(
          'section',
          { class: 'things', 'aria-label': space.name },
          el('h2', {}, el('bdi', {}, space.name)),
          accounts.map((account) => renderAccount(account, context)),
        ),
      ),
    data.every(({ accounts }) => accounts.length === 0) &&
      el('p', { class: 'dim' }, 'No accounts yet. Connect one below.'),
    renderNewAccount(
      data.map(({ space }) => space),
      context,
    ),
  ],
  affectedBy: (event) => event.type === 'mail',
})

/** The form for a new account. It is tested as soon as it is there. */
function renderNewAccount(spaces: readonly Space[], context: ViewContext): HTMLElement {
  const space = el(
    'select',
    { class: 'field', id: 'mail-space' },
    spaces.map(({ id, name }) => el('option', { value: id, selected: id === context.space?.id }, name)),
  )
  const form = renderAccountForm({
    account: null,
    label: 'Connect',
    lookUp: (address) =>
      context.app.api.get<MailServerProposal>(`/api/mail-server?address=${encodeURIComponent(address)}`),
    lead: [el('h2', {}, 'New account'), fieldRow('Space', space)],
    onSave: add,
  })
  return form

  async function add(fields: Record<string, unknown>): Promise<void> {
    const { id } = await context.app.api.post<MailAccount>(`/api/spaces/${space.value}/mail-accounts`, fields)
    // The password does not stay in the form.
    form.reset()
    if (!(await testAccount(context, id))) await showFormAgain(id, context)
  }
}

const stateWords: Record<MailAccountState, string> = {
  waiting: 'Waiting',
  connecting: 'Connecting',
  syncing: 'Syncing',
  watching: 'Up to date',
  retrying: 'Retrying',
  stopped: 'Stopped',
  paused: 'Paused',
}

/** An account with its state, and what can be done with it. */
function renderAccount(account: MailAccount, context: ViewContext): HTMLElement {
  return renderThing(
    { id: `mail-account-${account.id}`, name: isolated(account.address) },
    renderEdit(account, context),
    renderSync(account, context),
    renderMissingFolders(account, context),
    renderRemove(account, context),
  )
}

/** How it is read, and how far that has come. */
function renderSync(account: MailAccount, context: ViewContext): Child {
  const { id, state, error, last_sync_at, messages, unreadable } = account
  const { app } = context
  const change = createToastChange(context)
  const path = `/api/mail-accounts/${id}`
  const isPaused = state === 'paused'
  const button = (label: string, name: string, onclick: () => Promise<void>) =>
    el('button', { class: 'button button-small', type: 'button', id: `${name}-${id}`, onclick }, label)
  return [
    valueRow(
      'Connection',
      el(
        'span',
        { class: 'grow' },
        el('span', {}, stateWords[state]),
        error !== null && el('span', { class: 'problem' }, isolated(error, 400)),
      ),
      button('Test', 'test', async () => void (await testAccount(context, id))),
      button(isPaused ? 'Resume' : 'Pause', 'pause', () =>
        change(() => app.api.patch(path, { paused: !isPaused }), isPaused ? 'Resumed.' : 'Paused.'),
      ),
    ),
    hintedRow(
      'Mail',
      last_sync_at !== null && ['Synced ', timeAgo(last_sync_at, context.now)],
      el(
        'span',
        { class: 'grow' },
        `${messages} ${messages === 1 ? 'message' : 'messages'}`,
        unreadable > 0 && `, ${unreadable} could not be read`,
      ),
      button('Sync now', 'sync', () => change(() => app.api.post(`${path}/sync`), 'Sync requested.')),
    ),
  ]
}

function renderRemove({ id, address }: MailAccount, context: ViewContext): HTMLElement {
  const change = createToastChange(context)
  const remove = (mail: 'keep' | 'delete', label: string) =>
    renderArmedButton({
      label,
      name: address,
      id: `remove-${mail}-${id}`,
      press: () =>
        void change(
          () => context.app.api.delete(`/api/mail-accounts/${id}?mail=${mail}`),
          `Removed ${quoteShown(address)}.`,
        ),
    })
  return valueRow('Remove', remove('keep', 'Remove, keep mail'), remove('delete', 'Remove with mail'))
}

/** Says in a toast whether the account can be read, and returns it. */
async function testAccount({ app, refresh }: ViewContext, id: string): Promise<boolean> {
  try {
    const { ok, error, folders } = await app.api.post<MailTest>(`/api/mail-accounts/${id}/test`)
    if (ok) app.toast(`Signed in. Reads ${folders.map((folder) => quoteShown(folder)).join(', ')}.`)
    else app.toast(error ?? 'The test failed.', { tone: 'problem' })
    await refresh()
    return ok
  } catch (error) {
    app.toast(messageOf(error), { tone: 'problem' })
    return false
  }
}

function renderEdit(account: MailAccount, context: ViewContext): HTMLElement {
  const { id, address, host, port } = account
  const folders = renderFolderChoice(account, context.app.api)
  const open = context.url.searchParams.get('edit') === id
  return formRow(
    {
      id: `edit-${id}`,
      label: 'Server',
      value: el('bdi', {}, `${host}:${port}`),
      verb: 'Edit',
      name: address,
      open,
    },
    renderAccountForm({ account, label: 'Save', onSave: save, folders }),
  )

  async function save(fields: Record<string, unknown>): Promise<void> {
    await context.app.api.patch(`/api/mail-accounts/${id}`, fields)
    if (!(await testAccount(context, id))) return showFormAgain(id, context)
    closeForm(`edit-${id}`)
    if (context.url.searchParams.get('edit') === id) await changeQuery(context, { edit: null })
  }
}
