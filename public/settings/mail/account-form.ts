import type { MailAccount, MailSecurity, MailServerProposal } from '../../../lib/contract/mail.ts'
import { messageOf } from '../../app/api/api.ts'
import { type Child, el } from '../../ui/dom.ts'
import { fieldRow, switchBox, switchRow } from '../parts/setting.ts'
import type { FolderChoice } from './folder-choice.ts'
import { createMailboxChoice } from './mailbox-choice.ts'
import { createServerLookup, proposePort } from './server-lookup.ts'

type AccountFormOptions = {
  /** `null`: a new one. */
  account: MailAccount | null
  label: string
  /** Above the fields. */
  lead?: Child
  /** Gets the fields as the API takes them. Its failure is shown. */
  onSave: (fields: Record<string, unknown>) => Promise<void>
  /** Where the mailbox of an address is; left out: it is not looked up. */
  lookUp?: (address: string) => Promise<MailServerProposal>
  /** Of an account that is there. */
  folders?: FolderChoice
}

const securities: Record<MailSecurity, { label: string; port: number }> = {
  tls: { label: 'TLS (usual)', port: 993 },
  starttls: { label: 'STARTTLS', port: 143 },
  none: { label: 'None (only this machine)', port: 143 },
}

/** The form for an account, new or existing. The password is never shown again. */
export function renderAccountForm(options: AccountFormOptions): HTMLFormElement {
  const { account, label, lead, onSave, folders } = options
  const id = (field: string) => `mail-${field}${account ? `-${account.id}` : ''}`
  const input = (field: string, value: string, props: Record<string, unknown> = {}) =>
    el('input', { class: 'field', id: id(field), autocomplete: 'off', value, ...props })
  const address = input('address', account?.address ?? '', {
    type: 'email',
    required: true,
    placeholder: 'anna@example.org',
  })
  const password = input('password', '', {
    type: 'password',
    required: account === null,
    autocomplete: 'new-password',
    placeholder: account ? 'Unchanged' : '',
  })
  const host = input('host', account?.host ?? '', { required: true, placeholder: 'imap.example.org' })
  const port = input('port', String(account?.port ?? 993), {
    type: 'number',
    required: true,
    min: 1,
    max: 65_535,
    'data-proposed': account ? securities[account.security].port : 993,
    oninput: () => delete port.dataset.proposed,
  })
  const security = el(
    'select',
    { class: 'field', id: id('security'), onchange: setPort },
    Object.entries(securities).map(([value, { label }]) =>
      el('option', { value, selected: value === (account?.security ?? 'tls') }, label),
    ),
  )
  const username = input('username', account?.username ?? '', { placeholder: 'The address' })
  const aliases = input('aliases', account?.aliases.join(', ') ?? '', {
    placeholder: 'office@example.org, …',
  })
  const drafts = renderDraftsBox(id('drafts'), account)
  const signIn = createSignInFields({ account, id, host, password })
  const mailbox = createMailboxChoice(account, { address, host, port, username })
  const server = createServerLookup({ address, host, port, security, username }, options.lookUp)
  address.addEventListener('input', server.guess)
  address.addEventListener('change', server.lookUp)
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true })
  return el(
    'form',
    { class: 'stack', onsubmit: save, onreset: () => queueMicrotask(showAll) },
    lead,
    fieldRow('Address', address),
    fieldRow('IMAP server', host, null, server.note),
    signIn.element,
    fieldRow('Port', port),
    fieldRow('Security', security),
    fieldRow('User name', username, 'If it is not the address'),
    mailbox.element,
    fieldRow('Your other addresses', aliases),
    drafts.row,
    folders?.element,
    problem,
    el('div', { class: 'row' }, el('button', { class: 'button', type: 'submit' }, label)),
  )

  /** The usual port of the security, unless one was typed. */
  function setPort(): void {
    proposePort(port, securities[security.value as MailSecurity].port)
    mailbox.show()
  }

  function showAll(): void {
    port.dataset.proposed = port.defaultValue
    signIn.show()
    mailbox.show()
  }

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    problem.hidden = true
    try {
      await onSave({
        address: address.value.trim(),
        host: host.value.trim(),
        port: Number(port.value),
        security: security.value,
        username: username.value.trim() || address.value.trim(),
        drafts_allowed: drafts.box.checked,
        ...folders?.fields(),
        ...signIn.fields(),
        ...mailbox.fields(),
        aliases: aliases.value.split(/[\s,;]+/).filter(Boolean),
        ...(password.value === '' ? {} : { password: password.value }),
      })
    } catch (error) {
      problem.hidden = false
      problem.textContent = messageOf(error)
    }
  }
}

function renderDraftsBox(
  id: string,
  account: MailAccount | null,
): { box: HTMLInputElement; row: HTMLElement } {
  const box = switchBox({ id, checked: account?.drafts_allowed ?? false })
  return { box, row: switchRow('Save approved replies', box, 'To its Drafts folder') }
}

type SignInFields = {
  element: HTMLElement
  /** As the API takes them. */
  fields(): Record<string, unknown>
  /** After the form has been reset. */
  show(): void
}

type SignInOptions = {
  account: MailAccount | null
  /** The id of a field by its name. */
  id: (field: string) => string
  host: HTMLInputElement
  password: HTMLInputElement
}

const providers: readonly { host: RegExp; token_url: string; scope: string }[] = [
  { host: /(?:^|\.)(?:gmail|google)\.com$/, token_url: 'https://oauth2.googleapis.com/token', scope: '' },
  {
    host: /(?:^|\.)(?:outlook|office365|office)\.com$/,
    token_url: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    scope: 'https://outlook.office.com/IMAP.AccessAsUser.All offline_access',
  },
]

/** How an account signs in: with a password, or by OAuth with a client of the owner's own. */
function createSignInFields({ account, id, host, password }: SignInOptions): SignInFields {
  const oauth = account?.oauth ?? null
  const input = (name: string, value: string, props: Record<string, unknown> = {}) =>
    el('input', { class: 'field', id: id(name), autocomplete: 'off', value, ...props })
  const method = el(
    'select',
    { class: 'field', id: id('method'), onchange: show },
    el('option', { value: 'password', selected: oauth === null }, 'Password'),
    el('option', { value: 'oauth', selected: oauth !== null }, 'OAuth with a client of your own'),
  )
  const passwordLabel = el('span', { class: 'field-label' })
  const passwordRow = el(
    'div',
    { class: 'setting' },
    el(
      'label',
      { class: 'setting-name', for: password.id },
      passwordLabel,
      el('span', { class: 'dim small' }, ' Or ', el('code', {}, 'secret:NAME')),
    ),
    el('div', { class: 'setting-value' }, password),
  )
  const url = input('token-url', oauth?.token_url ?? '', { type: 'url', placeholder: 'https://…/token' })
  const client = input('client-id', oauth?.client_id ?? '')
  const secret = input('client-secret', '', {
    type: 'password',
    autocomplete: 'new-password',
    placeholder: oauth?.has_client_secret ? 'Unchanged' : 'None',
  })
  const scope = input('scope', oauth?.scope ?? '', { placeholder: 'From the refresh token' })
  const more = el(
    'div',
    {},
    fieldRow('Token endpoint', url),
    fieldRow('Client ID', client),
    fieldRow('Client secret', secret, ['If it has one, or ', el('code', {}, 'secret:NAME')]),
    fieldRow('Scope', scope, 'If the provider wants it'),
  )
  show()
  return {
    element: el('div', {}, fieldRow('Sign in with', method), passwordRow, more),
    fields: () => ({ oauth: method.value === 'oauth' ? oauthFields() : null }),
    show,
  }

  function oauthFields(): Record<string, unknown> {
    return {
      token_url: url.value.trim(),
      client_id: client.value.trim(),
      scope: scope.value.trim(),
      ...(secret.value === '' ? {} : { client_secret: secret.value }),
    }
  }

  function show(): void {
    const isOAuth = method.value === 'oauth'
    more.hidden = !isOAuth
    url.required = isOAuth
    client.required = isOAuth
    passwordLabel.textContent = isOAuth ? 'Refresh token' : 'Password or app password'
    if (!isOAuth || url.value !== '') return
    const provider = providers.find((each) => each.host.test(host.value.trim().slice(0, 253)))
    url.value = provider?.token_url ?? ''
    scope.value = provider?.scope ?? ''
  }
}
