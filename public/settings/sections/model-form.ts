import type { ModelConnection, ModelList } from '../../../lib/contract/model.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { type Child, el } from '../../ui/dom.ts'
import { renderModelField } from '../parts/model-field.ts'

/** Where the model is and which it is. Its key is written and never shown. */
export function renderModelForm(connection: ModelConnection, models: ModelList, context: ViewContext): Child {
  const { app, refresh } = context
  const address = field('url', {
    value: connection.base_url ?? '',
    maxlength: 2000,
    placeholder: 'https://api.anthropic.com',
  })
  const key = field('password', {
    maxlength: 1000,
    autocomplete: 'new-password',
    placeholder: keyHints[connection.key],
  })
  const isOnline = models.mode === 'online'
  const listed = isOnline ? models : { items: [], problem: null }
  const model = renderModelField(listed, {
    id: 'model-name',
    label: 'Model',
    value: connection.model,
    placeholder: '',
  })
  const small = renderModelField(isOnline ? { ...models, problem: null } : listed, {
    id: 'model-small',
    label: 'Small model (routes messages and names conversations)',
    value: connection.small_model ?? '',
    placeholder: 'None (use rules)',
  })
  model.input.required = true
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true })
  return el(
    'form',
    { class: 'stack', onsubmit: save, 'aria-label': 'Model connection' },
    el('h3', {}, 'Connection'),
    el('p', { class: 'dim' }, sources[connection.from]),
    labelled('API key (or secret:NAME)', key),
    labelled('Address of the Messages API, if it is not Anthropic’s', address),
    model.element,
    small.element,
    problem,
    el(
      'div',
      { class: 'row' },
      el('button', { class: 'button button-primary', type: 'submit' }, 'Save'),
      connection.key === 'stored' &&
        el(
          'button',
          { class: 'button', type: 'button', onclick: () => change({ api_key: null }) },
          'Remove key',
        ),
      connection.from === 'settings' &&
        el('button', { class: 'button', type: 'button', onclick: reset }, 'Use the server’s configuration'),
    ),
  )

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    await change(key.value.trim() === '' ? {} : { api_key: key.value.trim() })
  }

  function change(apiKey: { api_key?: string | null }): Promise<void> {
    return settle(async () => {
      await app.api.put('/api/model', {
        base_url: address.value.trim() || null,
        model: model.input.value.trim(),
        small_model: small.input.value.trim() || null,
        ...apiKey,
      })
      app.toast('Model connection saved.')
    })
  }

  function reset(): Promise<void> {
    return settle(async () => {
      await app.api.delete('/api/model')
      app.toast('The server’s configuration is used again.')
    })
  }

  async function settle(work: () => Promise<void>): Promise<void> {
    problem.hidden = true
    try {
      await work()
      key.value = ''
      await refresh()
    } catch (error) {
      problem.hidden = false
      problem.textContent = messageOf(error)
    }
  }
}

const keyHints: Record<ModelConnection['key'], string> = {
  none: '',
  stored: 'Stored. Leave empty to keep it.',
  configuration: 'From the server’s configuration. Leave empty to keep it.',
}

const sources: Record<ModelConnection['from'], string> = {
  settings: 'Set here. A change takes effect with the next message.',
  configuration:
    'From the server’s configuration (ANTHROPIC_API_KEY, ANTHROPIC_MODEL, ANTHROPIC_BASE_URL, ROUTER_MODEL). What you save here replaces it.',
}

const field = (type: string, props: Record<string, unknown>) =>
  el('input', { class: 'field', id: `model-${type}`, type, autocomplete: 'off', ...props })

const labelled = (words: string, input: HTMLElement) =>
  el('label', {}, el('span', { class: 'field-label' }, words), input)
