import type { MailAccount } from '../../../lib/contract/mail.ts'
import { quoted } from '../../ui/components/quoted.ts'
import { type Child, el } from '../../ui/dom.ts'

/** What the owner should know of the accounts: that one is at work, or why one is not. */
export function renderAccountNotes(accounts: readonly MailAccount[]): Child {
  return accounts.flatMap(({ id, address, state, error }) => {
    if (error !== null) {
      return el(
        'p',
        { class: 'problem', id: `problem-${id}` },
        quoted(address, 80),
        state === 'stopped' ? ' stopped: ' : ': ',
        quoted(error, 300),
        ' ',
        el('a', { href: '/settings/mail' }, 'Mail settings'),
      )
    }
    return state === 'syncing' || state === 'connecting' || state === 'waiting'
      ? el('p', { class: 'dim small', role: 'status' }, 'Syncing ', quoted(address, 80), '…')
      : []
  })
}
