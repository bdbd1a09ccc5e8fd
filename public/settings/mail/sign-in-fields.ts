import type { MailAccount } from '../../../lib/contract/mail.ts'
import { el } from '../../ui/dom.ts'

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
export function createSignInFields({ account, id, host, password }: SignInOptions): SignInFields {
  const oauth = account?.oauth ?? null
  const input = (name: string, value: string, props: Record<string, unknown> = {}) =>
    el('input', { class: 'field', id: id(name), autocomplete: 'off', value, ...props })
  const method = el(
    'select',
    { class: 'field', id: id('method'), onchange: show },
    el('option', { value: 'password', selected: oauth === null }, 'Password'),
    el('option', { value: 'oauth', selected: oauth !== null }, 'OAuth with a client of your own'),
  )
  const passwordLabel = el('label', { class: 'field-label', for: password.id })
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
    { class: 'stack' },
    labelled(url, 'Token endpoint'),
    labelled(client, 'Client ID'),
    labelled(secret, 'Client secret, if it has one (or secret:NAME)'),
    labelled(scope, 'Scope, if the provider wants it'),
  )
  show()
  return {
    element: el('div', { class: 'stack' }, labelled(method, 'Sign in with'), passwordLabel, password, more),
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
    passwordLabel.textContent = isOAuth
      ? 'Refresh token (or secret:NAME)'
      : 'Password, or an app password (or secret:NAME)'
    if (!isOAuth || url.value !== '') return
    const provider = providers.find((each) => each.host.test(host.value.trim().slice(0, 253)))
    url.value = provider?.token_url ?? ''
    scope.value = provider?.scope ?? ''
  }
}

const labelled = (field: HTMLElement, words: string) => [
  el('label', { class: 'field-label', for: field.id }, words),
  field,
]
