import type { Space } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { MailAccount, MailServerProposal } from '../../../lib/contract/mail.ts'
import type { ViewContext } from '../../app/view.ts'
import { el } from '../../ui/dom.ts'
import { defineSection } from '../parts/section.ts'
import { renderAccount, testAccount } from './account.ts'
import { renderAccountForm } from './account-form.ts'

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
          { class: 'stack', 'aria-label': space.name },
          el('h3', {}, space.name),
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
    lead: [
      el('h3', {}, 'New account'),
      el('label', { class: 'field-label', for: 'mail-space' }, 'Space'),
      space,
    ],
    onSave: add,
  })
  return form

  async function add(fields: Record<string, unknown>): Promise<void> {
    const { id } = await context.app.api.post<MailAccount>(`/api/spaces/${space.value}/mail-accounts`, fields)
    // The password does not stay in the form.
    form.reset()
    await testAccount(context, id)
  }
}
