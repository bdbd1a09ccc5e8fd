import { el } from '../ui/dom.ts'

/** The second step of signing in; its script is public/settings/passkeys/sign-in.ts. */
export const renderPasskeyPage = (): HTMLElement =>
  el(
    'main',
    { class: 'sign-in' },
    el('h1', {}, 'Void'),
    el(
      'form',
      { class: 'stack', id: 'passkey' },
      el('p', {}, 'Confirm with your passkey to sign this browser in.'),
      el('p', { class: 'problem', id: 'problem', role: 'alert', hidden: true }),
      el(
        'div',
        { class: 'row' },
        el('button', { class: 'button button-primary', type: 'submit', autofocus: true }, 'Use passkey'),
        el('a', { class: 'button', href: '/sign-in' }, 'Start again'),
      ),
    ),
    el(
      'p',
      { class: 'dim' },
      'The link is valid for five minutes. If every passkey is lost, run ',
      el('code', {}, 'npm run passkeys -- --remove-all'),
      ' on the server.',
    ),
  )
