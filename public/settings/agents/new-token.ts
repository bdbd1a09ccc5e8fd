import type { Agent } from '../../../lib/contract/agents.ts'
import { messageOf } from '../../app/api/api.ts'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import type { AgentContext } from './agent-context.ts'
import { type NewToken, showToken } from './show-token.ts'

const lifetimes = [
  ['', 'Never'],
  ['7', 'In 7 days'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const

/** The form for a new token, folded until it is opened. */
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
      el('label', {}, el('span', { class: 'field-label' }, 'Permissions'), tier),
      el('label', {}, el('span', { class: 'field-label' }, 'Expires'), lifetime),
      el(
        'fieldset',
        { class: 'token-spaces' },
        el('legend', { class: 'field-label' }, 'Spaces (empty = all, including future)'),
        boxes.map((box, index) => el('label', { class: 'check-line' }, box, spaces[index]!.name)),
      ),
      problem,
      el(
        'div',
        { class: 'row' },
        el('button', { class: 'button button-primary', type: 'submit' }, 'Create token'),
      ),
    ),
  )

  async function create(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const chosen = boxes.filter((box) => box.checked).map(({ value }) => value)
    const days = Number(lifetime.value)
    try {
      const made = await app.api.post<NewToken>(
        `/api/agents/${agent.id}/tokens`,
        {
          name: name.value.trim(),
          tier: tier.value,
          spaces: chosen.length > 0 ? chosen : null,
          expires_at: days > 0 ? new Date(now.getTime() + days * 86_400_000).toISOString() : null,
        },
        { signal },
      )
      document.querySelector<HTMLFormElement>(`#${id('new')} form`)?.reset()
      showToken(made, app)
      await refresh()
    } catch (error) {
      problem.hidden = false
      problem.textContent = messageOf(error)
    }
  }
}
