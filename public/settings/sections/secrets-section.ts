import type { Secret } from '../../../lib/contract/auth.ts'
import type { List } from '../../../lib/contract/list.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { renderArmedButton } from '../../ui/components/armed-button.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { defineSection } from '../parts/section.ts'
import { fieldRow, hintedRow } from '../parts/setting.ts'

export const secretsSection = defineSection<List<Secret>>({
  load: ({ api }) => api.get('/api/secrets'),
  render: ({ items }, context) => [
    el(
      'p',
      { class: 'dim' },
      'Keys and passwords, stored encrypted and never shown again. A setting uses one as ',
      el('code', {}, 'secret:NAME'),
      '.',
    ),
    items.length > 0
      ? el(
          'section',
          { 'aria-label': 'Stored secrets' },
          items.map((secret) => renderSecret(secret, context)),
        )
      : el('p', { class: 'dim' }, 'No secrets yet. Add one below, such as the key of a model provider.'),
    renderNewSecret(context),
  ],
})

function renderSecret(secret: Secret, context: ViewContext): Child {
  const { name, updated_at, last_used_at, readable } = secret
  const { app, refresh, now } = context
  return hintedRow(
    el('code', {}, name),
    readable ? null : el('span', { class: 'problem' }, 'Cannot be decrypted. Store it again.'),
    el(
      'span',
      { class: 'grow dim' },
      ['Stored ', timeAgo(updated_at, now), ', '],
      last_used_at ? ['last used ', timeAgo(last_used_at, now)] : 'never used',
    ),
    renderArmedButton({ label: 'Delete', name, id: `delete-${name}`, press: remove }),
  )

  async function remove(): Promise<void> {
    try {
      await app.api.delete(`/api/secrets/${encodeURIComponent(name)}`)
      app.toast(`Deleted secret ${quoteShown(name)}.`)
      await refresh()
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
  }
}

function renderNewSecret({ app, refresh }: ViewContext): HTMLElement {
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true })
  const name = el('input', {
    class: 'field mono',
    id: 'secret-name',
    required: true,
    maxlength: 100,
    pattern: '[A-Za-z0-9][A-Za-z0-9_.\\-]*',
    title: 'Letters, digits, dots, hyphens and underscores',
    autocomplete: 'off',
    placeholder: 'anthropic-key',
  })
  const value = el('input', {
    class: 'field mono',
    id: 'secret-value',
    type: 'password',
    required: true,
    autocomplete: 'new-password',
  })
  return el(
    'form',
    { class: 'stack', onsubmit: store },
    el('h2', {}, 'New secret'),
    fieldRow('Name', name),
    fieldRow('Value', value, 'Replaces the one of that name'),
    problem,
    el(
      'div',
      { class: 'row' },
      el('button', { class: 'button', type: 'submit' }, icon('plus'), 'Store secret'),
    ),
  )

  async function store(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    problem.hidden = true
    const title = name.value.trim()
    try {
      await app.api.put(`/api/secrets/${encodeURIComponent(title)}`, { value: value.value })
      name.value = ''
      value.value = ''
      app.toast(`Stored secret ${quoteShown(title)}.`)
      await refresh()
    } catch (error) {
      problem.hidden = false
      problem.textContent = messageOf(error)
    }
  }
}
