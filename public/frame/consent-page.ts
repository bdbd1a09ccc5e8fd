import type { ConsentForm } from '../../lib/contract/auth.ts'
import { quoteShown } from '../../lib/core/text/quote-name.ts'
import { type Child, el } from '../ui/dom.ts'

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

const unverified =
  'Not verified: any program can call itself this. Continue only if you started this yourself.'

const fact = (term: string, ...text: Child[]): Child => [el('dt', {}, term), el('dd', {}, ...text)]

function renderPermissions({ maySuggest }: ConsentForm): HTMLElement {
  return el(
    'fieldset',
    {},
    el('legend', { class: 'field-label' }, 'Permissions'),
    maySuggest && choice('tier', 'suggest', 'Read and draft', 'Its drafts wait in your Inbox.', true),
    choice('tier', 'read', 'Read only', null, !maySuggest),
  )
}

function renderSpaces({ spaces }: ConsentForm): HTMLElement {
  return el(
    'fieldset',
    { class: 'consent-spaces' },
    el('legend', { class: 'field-label' }, 'Spaces'),
    // With one Space there is nothing to choose; with several, nothing is chosen by habit.
    choice('reach', 'all', 'All Spaces', 'Future ones, too.', spaces.length <= 1),
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
