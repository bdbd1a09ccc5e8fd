import type { CompanionState } from '../../../lib/contract/companion/companion.ts'
import type { ModelList } from '../../../lib/contract/model.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import { messageOf } from '../../app/api/api.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { icon } from '../../ui/components/icon.ts'
import { visible } from '../../ui/components/visible.ts'
import { el } from '../../ui/dom.ts'
import { priceText } from '../../ui/words/names.ts'
import type { ThreadContext } from '../state/conversation-part.ts'

/** The models that this thread can be answered by, with their prices. */
export function showModels(context: ThreadContext): void {
  const { app } = context
  const { agent } = context.part.state.get()
  const list = el('ul', { class: 'models', 'aria-label': 'Models' }, el('li', { class: 'dim' }, 'Loading…'))
  const field = el('input', {
    class: 'field',
    maxlength: 200,
    required: true,
    autocomplete: 'off',
    'aria-label': 'Another model',
    placeholder: 'Another model',
  })
  const dialog = showDialog(
    { title: 'Model of this thread', name: 'models' },
    list,
    el(
      'form',
      { class: 'row', onsubmit: chooseTyped },
      el('div', { class: 'grow' }, field),
      el('button', { class: 'button', type: 'submit' }, 'Use'),
    ),
  )
  load()

  async function load(): Promise<void> {
    try {
      const { items, problem, prices_as_of } = await app.api.get<ModelList>('/api/models')
      const models = items.map(({ id, name, price }) => renderModel(id, name, priceText(price)))
      const note = problem ?? `Prices per million tokens, as of ${prices_as_of}.`
      list.replaceChildren(
        renderModel(null, `Default of ${agent.name}`, ''),
        ...models,
        el('li', { class: 'dim small' }, note),
      )
      list.querySelector<HTMLElement>('[aria-current], button')?.focus()
    } catch (error) {
      list.replaceChildren(el('li', { class: 'problem' }, messageOf(error)))
    }
  }

  function renderModel(id: string | null, name: string, price: string): HTMLElement {
    const isCurrent = id === agent.chosen_model
    return el(
      'li',
      {},
      el(
        'button',
        {
          class: 'menu-item',
          type: 'button',
          'aria-current': isCurrent ? 'true' : null,
          onclick: () => choose(id),
        },
        el('span', { class: 'grow' }, visible(name)),
        el('span', { class: 'dim small' }, price),
        isCurrent && icon('check'),
      ),
    )
  }

  function chooseTyped(event: SubmitEvent): void {
    event.preventDefault()
    choose(field.value.trim())
  }

  function choose(model: string | null): void {
    dialog.close()
    toastFailure(app, chooseModel(context, model))
    document.querySelector<HTMLElement>('#composer')?.focus()
  }
}

async function chooseModel({ app, spaceId, part }: ThreadContext, model: string | null): Promise<void> {
  const { conversation_id } = part.state.get()
  await app.api.patch(`/api/spaces/${spaceId}/conversations/${conversation_id}`, { model })
  const fresh = await app.api.get<CompanionState>(`/api/spaces/${spaceId}/companion?limit=1`)
  if (fresh.conversation_id === part.state.get().conversation_id) part.state.set({ agent: fresh.agent })
}
