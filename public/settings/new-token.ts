import { messageOf } from '../api.ts'
import { showDialog } from '../components/dialog.ts'
import { icon } from '../components/icon.ts'
import { el } from '../dom.ts'
import type { AgentContext } from './agent.ts'
import type { Agent } from './token-state.ts'

const lifetimes = [
  ['', 'Never'],
  ['7', 'In a week'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const

/** The form for a new token, folded away until it is wanted. */
export function renderNewToken(agent: Agent, context: AgentContext): HTMLElement {
  const { app, spaces, refresh, signal, now } = context
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true })
  const id = (name: string) => `token-${name}-${agent.id}`
  const name = el('input', {
    class: 'field',
    id: id('name'),
    required: true,
    maxlength: 200,
    autocomplete: 'off',
    placeholder: 'Laptop',
  })
  const tier = el(
    'select',
    { class: 'field', id: id('tier') },
    el('option', { value: 'suggest' }, 'Read and draft'),
    el('option', { value: 'read' }, 'Read only'),
  )
  const lifetime = el(
    'select',
    { class: 'field', id: id('expiry') },
    lifetimes.map(([value, label]) => el('option', { value, selected: value === '90' }, label)),
  )
  const boxes = spaces.map((space) => el('input', { type: 'checkbox', value: space.id, id: id(space.id) }))

  return el(
    'details',
    { class: 'token-new', id: id('new') },
    el('summary', { class: 'button button-small' }, icon('plus'), 'New token'),
    el(
      'form',
      { class: 'token-form', onsubmit: create },
      el('label', {}, el('span', { class: 'field-label' }, 'Name'), name),
      el('label', {}, el('span', { class: 'field-label' }, 'May'), tier),
      el('label', {}, el('span', { class: 'field-label' }, 'Expires'), lifetime),
      el(
        'fieldset',
        { class: 'token-spaces' },
        el('legend', { class: 'field-label' }, 'Spaces (none ticked: all, also later ones)'),
        boxes.map((box, index) => el('label', { class: 'check-line' }, box, spaces[index]!.name)),
      ),
      problem,
      el(
        'div',
        { class: 'row' },
        el('button', { class: 'button button-primary', type: 'submit' }, 'Make the token'),
      ),
    ),
  )

  async function create(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const chosen = boxes.filter((box) => box.checked).map(({ value }) => value)
    const days = Number(lifetime.value)
    try {
      const { token } = await app.api.post<{ token: string }>(
        `/api/agents/${agent.id}/tokens`,
        {
          name: name.value.trim(),
          tier: tier.value,
          spaces: chosen.length > 0 ? chosen : null,
          expires_at: days > 0 ? new Date(now.getTime() + days * 86_400_000).toISOString() : null,
        },
        { signal },
      )
      name.value = ''
      showToken(token, context)
      await refresh()
    } catch (error) {
      problem.hidden = false
      problem.textContent = messageOf(error)
    }
  }
}

function showToken(token: string, { app }: AgentContext): void {
  const field = el('input', {
    class: 'field mono',
    id: 'new-token',
    readonly: true,
    value: token,
    'aria-label': 'Token',
  })
  const copy = el(
    'button',
    { class: 'button button-primary', type: 'button', onclick: copyToken },
    icon('copy'),
    'Copy',
  )
  const dialog = showDialog(
    { title: 'The new token', name: 'token' },
    el(
      'p',
      {},
      'It is shown this once. Void keeps only its fingerprint, so copy it now to where the agent finds it.',
    ),
    el('div', { class: 'row' }, el('div', { class: 'grow' }, field), copy),
    el(
      'div',
      { class: 'row' },
      el('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, 'I have it'),
    ),
  )
  field.addEventListener('focus', () => field.select())
  copy.focus()

  // Over plain http from afar there is no clipboard: the text is selected instead.
  async function copyToken(): Promise<void> {
    try {
      await navigator.clipboard.writeText(token)
      copy.replaceChildren(icon('check'), 'Copied')
      app.announce('Copied')
    } catch {
      field.focus()
      app.announce('Press Ctrl C to copy the selected token.')
    }
  }
}
