import type { Budget, UsageSum } from '../../../lib/contract/companion/usage.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { type Child, el } from '../../ui/dom.ts'

/** How much of the daily budget is used, and the form to set it. */
export function renderBudget(budget: Budget, { app, refresh }: ViewContext): Child {
  const { daily_tokens, used_tokens, set_by } = budget
  const field = el('input', {
    class: 'field',
    id: 'daily-tokens',
    type: 'number',
    min: 0,
    step: 1,
    inputmode: 'numeric',
    placeholder: 'Unlimited',
    value: daily_tokens ?? '',
    'aria-describedby': 'budget-help',
  })
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    await set(field.value === '' ? 0 : Number(field.value))
  }
  return [
    el('h3', {}, 'Daily budget'),
    daily_tokens !== null && renderUsed(used_tokens, daily_tokens),
    el(
      'form',
      { class: 'row usage-budget', onsubmit: save },
      el('label', { for: 'daily-tokens' }, 'Tokens per day'),
      field,
      el('button', { class: 'button', type: 'submit' }, 'Save'),
      set_by === 'owner' &&
        el(
          'button',
          { class: 'button button-quiet', type: 'button', onclick: () => set(null) },
          'Use server setting',
        ),
    ),
    el(
      'p',
      { class: 'dim small', id: 'budget-help' },
      'Leave empty for no limit. Counts all models, cached tokens included. When it is reached, an answer ends before its next model call and keeps its text; simultaneous answers may exceed the limit slightly. Offline answers use no tokens.',
    ),
  ]

  async function set(tokens: number | null): Promise<void> {
    try {
      await app.api.patch<Budget>('/api/usage/budget', { daily_tokens: tokens })
      app.announce('Daily budget saved.')
    } catch (error) {
      app.toast(`Could not save the daily budget. ${messageOf(error)}`, { tone: 'problem' })
    }
    await refresh()
  }
}

function renderUsed(used: number, limit: number): HTMLElement {
  const text = `${tokenText(used)} of ${tokenText(limit)} tokens used today`
  return el(
    'div',
    { class: ['usage-used', used >= limit && 'usage-spent'] },
    el('progress', { max: limit, value: Math.min(used, limit), 'aria-label': text }),
    el('p', {}, used >= limit ? el('strong', {}, `${text}. Resets at midnight.`) : text),
  )
}

export const tokenText = (tokens: number): string => tokens.toLocaleString('en-US')

/** "$1.24", "< $0.01"; "no price" where nothing has one, and a plus where a part of it has none. */
export function costText({ cost, tokens, unpriced_tokens }: UsageSum): string {
  if (cost === null) return tokens === 0 ? '$0.00' : 'no price'
  const text = cost > 0 && cost < 0.01 ? '< $0.01' : `$${cost.toFixed(2)}`
  return unpriced_tokens > 0 ? `${text}+` : text
}
