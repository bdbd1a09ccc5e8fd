import type { ModelConnection, ModelList, ModelTest } from '../../../lib/contract/model.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { renderModelField } from '../parts/model-field.ts'
import { defineSection } from '../parts/section.ts'

type Data = { connection: ModelConnection; models: ModelList }

export const modelSection = defineSection<Data>({
  async load({ api }) {
    const [connection, models] = await Promise.all([
      api.get<ModelConnection>('/api/model'),
      api.get<ModelList>('/api/models'),
    ])
    return { connection, models }
  },
  render: ({ connection, models }, context) => [
    el(
      'div',
      { class: 'model-state', 'data-mode': models.mode },
      el('span', { class: ['badge', models.mode === 'online' ? 'badge-green' : 'badge-amber'] }, models.mode),
      el(
        'p',
        {},
        models.mode === 'online' ? [el('strong', {}, connection.model), ' is connected.'] : offline,
      ),
    ),
    renderTest(context),
    renderModelForm(connection, models, context),
  ],
})

const offline =
  'No model connected. Offline, the companion can search, quote and draft simple changes, without a network.'

function renderTest({ app, signal }: ViewContext): HTMLElement {
  const result = el('div', { role: 'status' })
  const button = el(
    'button',
    { class: 'button', type: 'button', id: 'test-connection', onclick: test },
    icon('refresh'),
    'Test connection',
  )
  return el('div', { class: 'stack model-test' }, el('div', {}, button), result)

  async function test(): Promise<void> {
    button.disabled = true
    result.replaceChildren(el('p', { class: 'dim' }, 'Testing…'))
    try {
      result.replaceChildren(
        renderResult(await app.api.post<ModelTest>('/api/model/test', undefined, { signal })),
      )
    } catch (error) {
      if (!signal.aborted) result.replaceChildren(el('p', { class: 'problem' }, messageOf(error)))
    } finally {
      button.disabled = false
    }
  }
}

function renderResult({ ok, code, message, advice, duration_ms }: ModelTest): HTMLElement {
  const seconds = `${(duration_ms / 1000).toFixed(1)} s`
  const lines: Child = [
    el('p', {}, el('strong', {}, ok ? `Connected. ${message}` : message)),
    advice && el('p', {}, advice),
    el('p', { class: 'mono dim' }, ok ? seconds : `${code}, ${seconds}`),
  ]
  return el(
    'div',
    { class: ['test-result', ok ? 'test-good' : code === 'no_key' ? 'test-calm' : 'test-bad'] },
    icon(ok ? 'check' : 'warning'),
    el('div', {}, lines),
  )
}

/** Where the model is and which it is. Its key is written and never shown. */
function renderModelForm(connection: ModelConnection, models: ModelList, context: ViewContext): Child {
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
