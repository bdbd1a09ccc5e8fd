import type { Health } from '../../lib/contract/health.ts'
import type { ModelTest } from '../../lib/contract/model.ts'
import { messageOf } from '../api/api.ts'
import type { ViewContext } from '../app/view.ts'
import { icon } from '../components/icon.ts'
import { type Child, el } from '../dom.ts'
import { defineSection } from './section.ts'

export const modelSection = defineSection<Health>({
  load: ({ api }) => api.get('/health'),
  render: ({ model }, context) => [
    el(
      'div',
      { class: 'model-state', 'data-mode': model.mode },
      el('span', { class: ['badge', model.mode === 'online' ? 'badge-green' : 'badge-amber'] }, model.mode),
      el('p', {}, model.mode === 'online' ? [el('strong', {}, model.name), ' is connected.'] : offline),
    ),
    renderTest(context),
    el('h3', {}, 'Configured in'),
    el(
      'p',
      { class: 'dim' },
      'The environment of the server, or the file ',
      el('code', {}, '.env'),
      ' next to it. Restart Void after a change. A key file named by ',
      el('code', {}, 'ANTHROPIC_API_KEY_REF'),
      ' is read again for every message.',
    ),
    el(
      'dl',
      { class: 'facts facts-mono' },
      setting('ANTHROPIC_API_KEY', 'API key'),
      setting('ANTHROPIC_API_KEY_REF', 'where to find the API key: file:/path or env:NAME'),
      setting('ANTHROPIC_MODEL', 'model name'),
      setting('ANTHROPIC_BASE_URL', 'another server with the Messages API, such as a local one'),
    ),
  ],
})

const offline =
  'No model connected. Offline, the companion can search, quote and draft simple changes, without a network.'

const setting = (name: string, what: string) =>
  el('div', {}, el('dt', {}, el('code', {}, name)), el('dd', {}, what))

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
