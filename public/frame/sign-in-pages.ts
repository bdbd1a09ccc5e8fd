import type { ConsentForm } from '../../lib/contract/auth.ts'
import { quoteShown } from '../../lib/core/text/quote-name.ts'
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

/** The page on which the owner lets a program in, or not. Without script. */
export function renderConsentPage(form: ConsentForm): HTMLElement {
  const name = form.name === null ? 'A program' : quoteShown(form.name, 80)
  return el(
    'main',
    { class: 'consent' },
    el('p', { class: 'consent-brand' }, 'Void'),
    el('h1', {}, el('bdi', {}, name), ' wants to connect'),
    el('p', { class: 'dim' }, 'It will read what you choose here. It cannot change anything by itself.'),
    renderFacts(form),
    el(
      'form',
      { class: 'consent-form', method: 'post', action: form.action },
      renderPermissions(form),
      renderSpaces(form),
      renderLifetime(),
      form.problem && el('p', { class: 'problem', id: 'problem', role: 'alert' }, form.problem),
      el(
        'div',
        { class: 'row consent-actions' },
        el(
          'button',
          { class: 'button button-primary', type: 'submit', name: 'decision', value: 'allow' },
          'Connect',
        ),
        el(
          'button',
          { class: 'button', type: 'submit', name: 'decision', value: 'deny', formnovalidate: true },
          'Cancel',
        ),
      ),
    ),
    el('p', { class: 'dim small' }, 'You can disconnect it at any time in Settings → Agents.'),
  )
}

function renderFacts({ publisher, destination }: ConsentForm): HTMLElement {
  return el(
    'dl',
    { class: 'consent-facts' },
    fact(
      'Identity',
      publisher === null ? unverified : ['Described by ', el('strong', {}, el('bdi', {}, publisher))],
    ),
    fact(
      'Sends you back to',
      destination.local
        ? [
            'a program on this computer (',
            el('code', {}, destination.host),
            // Whoever can start a program here can use the document of another.
            publisher === null
              ? ')'
              : '), which may be another one. Continue only if you started this yourself.',
          ]
        : el('strong', {}, el('bdi', {}, destination.host)),
    ),
  )
}

const unverified = 'Not verified: any program can use this name. Continue only if you started this yourself.'

const fact = (term: string, ...text: Child[]): Child => [el('dt', {}, term), el('dd', {}, ...text)]

function renderPermissions({ maySuggest }: ConsentForm): HTMLElement {
  return el(
    'fieldset',
    {},
    el('legend', { class: 'field-label' }, 'Permissions'),
    maySuggest && choice('tier', 'suggest', 'Read and draft', 'Its drafts go to your Inbox.', true),
    choice('tier', 'read', 'Read only', null, !maySuggest),
  )
}

function renderSpaces({ spaces }: ConsentForm): HTMLElement {
  return el(
    'fieldset',
    { class: 'consent-spaces' },
    el('legend', { class: 'field-label' }, 'Spaces'),
    // With one Space there is nothing to choose; with several, nothing is chosen by habit.
    choice('reach', 'all', 'All Spaces', 'Including future ones.', spaces.length <= 1),
    spaces.length > 1 && [
      choice('reach', 'some', 'Only these', null, false),
      el(
        'div',
        { class: 'consent-space-list' },
        spaces.map(({ id, name }) =>
          el(
            'label',
            { class: 'check-line' },
            el('input', { type: 'checkbox', name: 'space', value: id }),
            el('span', {}, name),
          ),
        ),
      ),
    ],
  )
}

function renderLifetime(): HTMLElement {
  return el(
    'label',
    { class: 'consent-lifetime' },
    el('span', { class: 'field-label' }, 'Stay connected'),
    el(
      'select',
      { class: 'field', name: 'lifetime' },
      el('option', { value: 'day' }, 'For 1 day'),
      el('option', { value: 'month', selected: true }, 'For 30 days'),
      el('option', { value: 'open' }, 'Until I disconnect it'),
    ),
  )
}

function choice(name: string, value: string, label: string, note: string | null, checked: boolean): Child {
  return el(
    'label',
    { class: 'check-line' },
    el('input', { type: 'radio', name, value, checked, required: true }),
    el('span', {}, label, note && el('span', { class: 'dim small' }, ` ${note}`)),
  )
}

/** The page that says why a program could not be connected. */
export const renderConnectProblem = (problem: string): HTMLElement =>
  el(
    'main',
    { class: 'consent' },
    el('p', { class: 'consent-brand' }, 'Void'),
    el('h1', {}, 'Not connected'),
    el('p', { class: 'problem', role: 'alert' }, problem),
    el('p', {}, el('a', { href: '/settings' }, 'Settings')),
  )
