import { type Child, el } from '../ui/dom.ts'

type SignInForm = {
  /** Why the last attempt failed. */
  problem: string | null
  /** Where to go then. */
  next: string
  /** The one-time code of a sign-in link, sent when the button is pressed. */
  code: string | null
}

/** The sign-in page, without script. */
export function renderSignInPage({ problem, next, code }: SignInForm): HTMLElement {
  return el(
    'main',
    { class: 'sign-in' },
    el('h1', {}, 'Void'),
    el(
      'form',
      { class: 'stack', method: 'post', action: '/sign-in' },
      el('input', { type: 'hidden', name: 'next', value: next }),
      code === null
        ? renderTokenField(problem !== null)
        : [
            el('input', { type: 'hidden', name: 'code', value: code }),
            el('p', {}, 'This link signs this browser in.'),
          ],
      problem && el('p', { class: 'problem', id: 'problem', role: 'alert' }, problem),
      el('button', { class: 'button button-primary', type: 'submit', autofocus: code !== null }, 'Sign in'),
    ),
    el(
      'p',
      { class: 'dim' },
      code === null
        ? [
            'Void prints a sign-in link when it starts, and ',
            el('code', {}, 'npm run sign-in'),
            ' prints a new one. The token is in the file ',
            el('code', {}, 'owner-token'),
            ' in its data folder.',
          ]
        : 'It works once, within ten minutes of being printed.',
    ),
  )
}

const renderTokenField = (failed: boolean): Child => [
  el('label', { for: 'token', class: 'field-label' }, 'Owner token'),
  el('input', {
    class: 'field',
    id: 'token',
    name: 'token',
    type: 'password',
    autocomplete: 'current-password',
    required: true,
    autofocus: true,
    'aria-describedby': failed ? 'problem' : null,
  }),
]
