import type { ModelConnection, ModelList, ModelTest } from '../../../lib/contract/model.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { defineSection } from '../parts/section.ts'
import { renderModelForm } from './model-form.ts'

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
