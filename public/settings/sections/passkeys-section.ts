import type { Passkey } from '../../../lib/contract/auth.ts'
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
import { makePasskey, passkeyProblem } from '../passkeys/device.ts'
import { withConfirmation } from '../passkeys/with-confirmation.ts'

export const passkeysSection = defineSection<List<Passkey>>({
  load: ({ api }) => api.get('/api/passkeys'),
  render: ({ items }, context) => [
    el(
      'p',
      { class: 'dim' },
      'With a passkey, your device confirms each sign-in of a browser, after the link or the owner token. For the API the owner token alone is still enough.',
    ),
    items.length > 0
      ? el(
          'section',
          { 'aria-label': 'Passkeys' },
          items.map((passkey) => renderPasskey(passkey, context)),
        )
      : el('p', { class: 'dim' }, 'No passkeys yet. Add one for each device that you sign in with.'),
    el('div', { class: 'passkey-new' }),
  ],
  // Only the browser knows whether this page can use one.
  mount(root, _data, context) {
    const problem = passkeyProblem()
    const place = root.querySelector('.passkey-new')
    place?.replaceChildren(problem ? el('p', { class: 'notice' }, problem) : renderNewPasskey(context))
  },
})

function renderPasskey({ id, name, host, created_at, last_used_at }: Passkey, context: ViewContext): Child {
  const { app, refresh, now } = context
  return hintedRow(
    name,
    host,
    el(
      'span',
      { class: 'grow dim' },
      ['Added ', timeAgo(created_at, now), ', '],
      last_used_at ? ['last used ', timeAgo(last_used_at, now)] : 'never used',
    ),
    renderArmedButton({ label: 'Remove', name, id: `remove-${id}`, press: remove }),
  )

  async function remove(): Promise<void> {
    try {
      if (!(await withConfirmation(() => app.api.delete(`/api/passkeys/${id}`)))) return
      app.toast(`Removed passkey ${quoteShown(name)}.`)
      await refresh()
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
  }
}

function renderNewPasskey({ app, refresh }: ViewContext): HTMLElement {
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true })
  const name = el('input', {
    class: 'field',
    id: 'passkey-name',
    required: true,
    maxlength: 80,
    autocomplete: 'off',
    placeholder: 'Laptop',
  })
  return el(
    'form',
    { onsubmit: add },
    fieldRow(
      'New passkey',
      name,
      null,
      el('button', { class: 'button', type: 'submit' }, icon('plus'), 'Add passkey'),
    ),
    problem,
  )

  async function add(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    problem.hidden = true
    try {
      if (!(await withConfirmation(() => create(name.value.trim())))) return
      app.toast(`Added passkey ${quoteShown(name.value.trim())}.`)
      await refresh()
    } catch (error) {
      problem.hidden = false
      problem.textContent = messageOf(error)
    }
  }

  async function create(title: string): Promise<void> {
    const options = await app.api.post<PublicKeyCredentialCreationOptionsJSON>('/api/passkeys/options')
    await app.api.post('/api/passkeys', { name: title, credential: await makePasskey(options) })
  }
}
