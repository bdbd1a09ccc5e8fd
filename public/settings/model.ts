import type { ModelTest } from '../../lib/contract/model.ts'
import { messageOf } from '../api.ts'
import { icon } from '../components/icon.ts'
import { type Child, el } from '../dom.ts'
import type { ViewContext } from '../view.ts'
import type { Health } from './health.ts'
import { defineSection } from './section.ts'

export const modelSection = defineSection<Health>({
  load: ({ api }) => api.get('/health'),
  render: ({ model }, context) => [
    el(
      'div',
      { class: 'model-state', 'data-mode': model.mode },
      el('span', { class: ['badge', model.mode === 'online' ? 'badge-green' : 'badge-amber'] }, model.mode),
      el('p', {}, model.mode === 'online' ? [el('strong', {}, model.name), ' answers.'] : offline),
    ),
    renderTest(context),
    el('h3', {}, 'Where it is set'),
    el(
      'p',
      { class: 'dim' },
      'In the environment of the server, or in the file ',
      el('code', {}, '.env'),
      ' beside it. After a change, start Void again; a key in a file that ',
      el('code', {}, 'ANTHROPIC_API_KEY_REF'),
      ' names is read anew for every message.',
    ),
    el(
      'dl',
      { class: 'facts facts-mono' },
      setting('ANTHROPIC_API_KEY', 'the key of the provider'),
      setting('ANTHROPIC_API_KEY_REF', 'or where to find it: file:/path or env:NAME'),
      setting('ANTHROPIC_MODEL', 'the model that answers'),
      setting('ANTHROPIC_BASE_URL', 'another server that speaks the Messages API, such as a local one'),
    ),
  ],
})

const offline =
  'No model is connected: the offline companion answers. It searches, quotes and drafts simple changes, and needs no network.'

const setting = (name: string, what: string) =>
  el('div', {}, el('dt', {}, el('code', {}, name)), el('dd', {}, what))

function renderTest({ app, signal }: ViewContext): HTMLElement {
  const result = el('div', { role: 'status' })
  const button = el(
    'button',
    { class: 'button', type: 'button', id: 'test-connection', onclick: test },
    icon('refresh'),
    'Test the connection',
  )
  return el('div', { class: 'stack model-test' }, el('div', {}, button), result)

  async function test(): Promise<void> {
    button.disabled = true
    result.replaceChildren(el('p', { class: 'dim' }, 'Asking the model for one word …'))
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
    el('p', {}, el('strong', {}, ok ? `It works. ${message}` : message)),
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
