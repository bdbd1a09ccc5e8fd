import type { MailAccount } from '../../../lib/contract/mail.ts'
import { el } from '../../ui/dom.ts'
import { fieldRow } from '../parts/setting.ts'

type MailboxFields = Record<'address' | 'host' | 'port' | 'username', HTMLInputElement>

type MailboxChoice = {
  element: HTMLElement
  /** As the API takes them; empty where the mailbox stays the same. */
  fields(): { mail?: string }
  /** After the form has been reset. */
  show(): void
}

/** What becomes of the mail of an account whose mailbox is changed: asked for once the fields name another one. */
export function createMailboxChoice(account: MailAccount | null, fields: MailboxFields): MailboxChoice {
  const { address, host, port, username } = fields
  const id = `mail-old-${account?.id ?? 'new'}`
  const choice = el(
    'select',
    { class: 'field', id },
    el('option', { value: '' }, 'Choose…'),
    el('option', { value: 'keep' }, 'Keep it, apart from the new mailbox'),
    el('option', { value: 'delete' }, 'Remove it'),
  )
  const element = el(
    'div',
    { class: 'stack', hidden: true },
    el(
      'p',
      { class: 'dim small' },
      'Another server, port or user name is another mailbox, which is read from the start.',
    ),
    fieldRow('Mail of the old mailbox', choice),
  )
  for (const field of [address, host, port, username]) field.addEventListener('input', show)
  return { element, fields: () => (isOther() ? { mail: choice.value } : {}), show }

  function isOther(): boolean {
    if (!account || account.messages === 0) return false
    return (
      host.value.trim().toLowerCase() !== account.host.toLowerCase() ||
      port.value !== String(account.port) ||
      (username.value.trim() || address.value.trim()) !== account.username
    )
  }

  function show(): void {
    const isShown = isOther()
    element.hidden = !isShown
    choice.required = isShown
  }
}
