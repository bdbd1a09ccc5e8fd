import type {
  LocalModels,
  ModelAbilities,
  ModelConnection,
  ModelList,
  ModelTest,
} from '../../../lib/contract/model.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { renderModelField } from '../parts/model-field.ts'
import { defineSection } from '../parts/section.ts'
import { fieldRow, serverMark, valueRow } from '../parts/setting.ts'
import { renderTrial } from './model-trial.ts'

type Data = { connection: ModelConnection; models: ModelList; local: LocalModels }

export const modelSection = defineSection<Data>({
  async load({ api }) {
    const [connection, models, local] = await Promise.all([
      api.get<ModelConnection>('/api/model'),
      api.get<ModelList>('/api/models'),
      api.get<LocalModels>('/api/model/local'),
    ])
    return { connection, models, local }
  },
  render: ({ connection, models, local }, context) => [
    el(
      'p',
      { class: 'dim' },
      'Writes answers and drafts changes. Without one, Void still searches, quotes and drafts simple changes.',
    ),
    renderModelForm({ connection, models, local }, context),
    renderTest({ connection, models }, context),
    models.mode === 'online' && [renderAbilities(connection.abilities), renderTrial(context)],
  ],
})

/** What the server and its model were found to take. */
function renderAbilities(abilities: ModelAbilities): HTMLElement {
  const { sources, tools, several_tools, many_tools, tool_choice, images, thinking } = abilities
  const { caching, token_counts, max_tokens, typed_drafts } = abilities
  const facts: [string, string][] = [
    ['Reads sources', sources === 'text' ? 'as text' : 'with citations'],
    ['Calls tools', yesNo(tools)],
    ['Several at once', yesNo(several_tools)],
    ['Long tool lists', yesNo(many_tools)],
    ['Tool choice', yesNo(tool_choice)],
    ['Sees images', yesNo(images)],
    ['Typed drafts', yesNo(typed_drafts)],
    ['Thinking level', yesNo(thinking)],
    ...(caching === null ? [] : [['Prompt caching', yesNo(caching)] satisfies [string, string]]),
    ['Counts tokens', yesNo(token_counts)],
    ...(max_tokens === null
      ? []
      : [['Longest answer', `${max_tokens.toLocaleString('en-US')} tokens`] satisfies [string, string]]),
  ]
  return el(
    'dl',
    { class: 'facts model-abilities' },
    facts.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))),
  )
}

const yesNo = (known: boolean | null) => (known === null ? 'not tested' : known ? 'yes' : 'no')

function renderTest(
  { connection, models }: Pick<Data, 'connection' | 'models'>,
  { app, signal, refresh }: ViewContext,
): HTMLElement {
  const isOnline = models.mode === 'online'
  const result = el('div', { role: 'status' })
  const button = el(
    'button',
    { class: 'button', type: 'button', id: 'test-connection', onclick: test },
    'Test connection',
  )
  const state = el(
    'p',
    { class: 'model-state dim', 'data-mode': models.mode },
    el('span', { class: 'mood', 'data-mood': isOnline ? 'ready' : 'offline' }),
    el('span', {}, isOnline ? [connection.model, ' is connected.'] : 'No model connected.'),
  )
  return el('div', { class: 'stack model-test' }, valueRow('Connection', state, button), result)

  async function test(): Promise<void> {
    button.disabled = true
    const waiting = el('p', { class: 'dim' }, 'Testing…')
    result.replaceChildren(waiting)
    const started = Date.now()
    const timer = setInterval(() => {
      const seconds = Math.round((Date.now() - started) / 1000)
      if (seconds >= 3)
        waiting.textContent = `Waiting for the model, ${seconds} s. A local model may take minutes to load.`
    }, 1000)
    signal.addEventListener('abort', () => clearInterval(timer))
    try {
      const tested = await app.api.post<ModelTest>('/api/model/test', undefined, { signal })
      if (tested.abilities) await refresh()
      document.querySelector('.model-test [role=status]')?.replaceChildren(renderResult(tested))
    } catch (error) {
      if (!signal.aborted) result.replaceChildren(el('p', { class: 'problem' }, messageOf(error)))
    } finally {
      clearInterval(timer)
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
function renderModelForm({ connection, models, local }: Data, context: ViewContext): Child {
  const { app, refresh } = context
  const server = el(
    'select',
    { class: 'field', id: 'model-server', onchange: showAddress },
    Object.entries(servers).map(([value, { label }]) =>
      el('option', { value, selected: value === serverOf(connection) }, label),
    ),
  )
  const address = field('url', { value: connection.base_url ?? '', maxlength: 2000 })
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
    label: 'Small model',
    about: 'Routes messages, names threads',
    value: connection.small_model ?? '',
    placeholder: 'None (use rules)',
  })
  const limit = connection.max_tokens ?? ''
  const longest = field('number', { value: limit, min: 256, placeholder: 'The model’s own' })
  model.input.required = true
  const addressLabel = fieldRow('Address', address)
  showAddress()
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true })
  return el(
    'form',
    { class: 'stack', onsubmit: save, 'aria-label': 'Model connection' },
    local.items.map(renderLocal),
    fieldRow(
      'Provider',
      server,
      connection.from === 'settings' && 'A change takes effect with the next message',
      connection.from === 'configuration' &&
        isOnline &&
        serverMark('ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, ANTHROPIC_MODEL'),
    ),
    addressLabel,
    fieldRow('API key', key, ['Or ', el('code', {}, 'secret:NAME')]),
    model.element,
    small.element,
    fieldRow('Longest answer', longest, 'Tokens'),
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

  /** A server of this machine, connected with one click: what it needs is known. */
  function renderLocal({ name, base_url, models: names }: LocalModels['items'][number]): Child {
    if (connection.base_url?.startsWith(base_url)) return null
    return el(
      'div',
      { class: 'row model-local' },
      el(
        'p',
        {},
        `${name} is running on this machine with ${names.length === 1 ? 'one model' : `${names.length} models`}.`,
      ),
      names.length > 0 &&
        el(
          'button',
          {
            class: 'button button-small',
            type: 'button',
            onclick: () => {
              server.value = 'chat'
              showAddress()
              address.value = base_url
              model.input.value = names[0] ?? ''
              small.input.value = ''
              model.input.focus()
            },
          },
          `Use ${name}`,
        ),
    )
  }

  function showAddress(): void {
    const { placeholder } = servers[server.value] ?? servers.anthropic!
    addressLabel.hidden = placeholder === null
    address.placeholder = placeholder ?? ''
  }

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    await change(key.value.trim() === '' ? {} : { api_key: key.value.trim() })
  }

  async function change(apiKey: { api_key?: string | null }): Promise<void> {
    await settle(async () => {
      await app.api.put('/api/model', {
        wire: server.value === 'chat' ? 'chat' : 'messages',
        base_url: server.value === 'anthropic' ? null : address.value.trim() || null,
        model: model.input.value.trim(),
        small_model: small.input.value.trim() || null,
        max_tokens: Number(longest.value) || null,
        ...apiKey,
      })
      app.toast('Model connection saved.')
    })
    // It says at once what the server takes, and what is wrong.
    if (problem.hidden) document.querySelector<HTMLElement>('#test-connection')?.click()
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

/** What can be connected; `placeholder` is of its address, `null` where it needs none. */
const servers: Record<string, { label: string; placeholder: string | null }> = {
  anthropic: { label: 'Anthropic', placeholder: null },
  chat: {
    label: 'OpenAI-compatible (Ollama, LM Studio, vLLM, …)',
    placeholder: 'https://api.openai.com/v1',
  },
  messages: {
    label: 'Anthropic-compatible (LiteLLM, a gateway)',
    placeholder: 'http://127.0.0.1:4000',
  },
}

const serverOf = ({ wire, base_url }: ModelConnection): string =>
  wire === 'chat' ? 'chat' : base_url === null ? 'anthropic' : 'messages'

const keyHints: Record<ModelConnection['key'], string> = {
  none: '',
  stored: 'Stored. Leave empty to keep it.',
  configuration: 'From the server’s configuration. Leave empty to keep it.',
}

const field = (type: string, props: Record<string, unknown>) =>
  el('input', { class: 'field', id: `model-${type}`, type, autocomplete: 'off', ...props })
