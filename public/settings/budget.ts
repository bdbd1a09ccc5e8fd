import type { Budget } from '../../lib/contract/usage.ts'
import { messageOf } from '../api.ts'
import { type Child, el } from '../dom.ts'
import type { ViewContext } from '../view.ts'
import { tokenWords } from './usage-words.ts'

/** How much of the day's budget is used, and the form that sets it. */
export function renderBudget(budget: Budget, { app, refresh }: ViewContext): Child {
  const { daily_tokens, used_tokens, set_by } = budget
  const field = el('input', {
    class: 'field',
    id: 'daily-tokens',
    type: 'number',
    min: 0,
    step: 1,
    inputmode: 'numeric',
    placeholder: 'any number',
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
      el('label', { for: 'daily-tokens' }, 'Tokens a day'),
      field,
      el('button', { class: 'button', type: 'submit' }, 'Save'),
      set_by === 'owner' &&
        el(
          'button',
          { class: 'button button-quiet', type: 'button', onclick: () => set(null) },
          'As the server is configured',
        ),
    ),
    el(
      'p',
      { class: 'dim small', id: 'budget-help' },
      'Empty: any number. All models together, whether read from the cache or not. Once it is used up, a turn ends before its next call of a model and keeps what it has said; answers that are written at the same moment may go a little over it. The offline companion needs none.',
    ),
  ]

  async function set(tokens: number | null): Promise<void> {
    try {
      await app.api.patch<Budget>('/api/usage/budget', { daily_tokens: tokens })
      app.announce('The daily budget is saved.')
    } catch (error) {
      app.toast(`The daily budget is as it was. ${messageOf(error)}`, { tone: 'problem' })
    }
    await refresh()
  }
}

function renderUsed(used: number, limit: number): HTMLElement {
  const words = `${tokenWords(used)} of ${tokenWords(limit)} tokens used today`
  return el(
    'div',
    { class: ['usage-used', used >= limit && 'usage-spent'] },
    el('progress', { max: limit, value: Math.min(used, limit), 'aria-label': words }),
    el('p', {}, used >= limit ? el('strong', {}, `${words}. It begins anew at midnight.`) : words),
  )
}
