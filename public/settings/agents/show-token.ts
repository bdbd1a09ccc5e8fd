import type { Agent, AgentToken } from '../../../lib/contract/agents.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { App } from '../../app/app.ts'
import { serverUrl } from '../../ui/address.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { type Setup, tokenSetups } from './client-setups.ts'

/** A token as it is answered once. */
export type NewToken = AgentToken & { token: string }

/** Shows a new token, and what connects common programs with it. Nothing of this can be shown again. */
export function showToken(made: NewToken, app: App): void {
  const closed = new AbortController()
  const first = copyRow(app, { id: 'new-token', label: 'Token', value: made.token })
  const dialog = showDialog(
    { title: 'New token', name: 'token', onClose: () => closed.abort() },
    el('p', {}, 'Copy this token now. Void stores only its hash and cannot show it again.'),
    first.row,
    tokenSetups(serverUrl(), made.token).map(
      (setup) => copyRow(app, { ...setup, id: `new-token-${setup.id}` }).row,
    ),
    firstCall(app, made, closed.signal),
    el(
      'div',
      { class: 'row' },
      el('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, 'Done'),
    ),
  )
  first.copy.focus()
}

const everyMs = 2000

/** A dialog that is left open asks no more after this. */
const maxMs = 15 * 60_000

/** A line that says when a token was used for the first time, until `signal`. */
function firstCall(app: App, token: Pick<AgentToken, 'id' | 'agent_id'>, signal: AbortSignal): HTMLElement {
  return waitingLine(
    { waiting: 'Waiting for the first call with this token…', connected: 'It has connected.' },
    async () => {
      const tokens = await listTokens(app, token.agent_id, signal)
      return tokens.some(({ id, last_used_at }) => id === token.id && last_used_at !== null)
    },
    signal,
  )
}

/** A line that says when a program was connected that was not before, until `signal`. */
export function firstConnection(app: App, signal: AbortSignal): HTMLElement {
  const existing = connections()
  return waitingLine(
    { waiting: 'Waiting for a program to connect…', connected: 'A program has connected.' },
    async () => {
      const [before, now] = await Promise.all([existing, connections()])
      return now.some((id) => !before.includes(id))
    },
    signal,
  )

  async function connections(): Promise<string[]> {
    const { items } = await app.api.get<List<Agent>>('/api/agents?limit=200', { signal })
    const tokens = await Promise.all(items.map(({ id }) => listTokens(app, id, signal)))
    return tokens.flat().flatMap(({ id, client_id }) => (client_id === null ? [] : [id]))
  }
}

async function listTokens(app: App, agentId: string, signal: AbortSignal): Promise<AgentToken[]> {
  return (await app.api.get<List<AgentToken>>(`/api/agents/${agentId}/tokens?limit=200`, { signal })).items
}

function waitingLine(
  text: { waiting: string; connected: string },
  isFound: () => Promise<boolean>,
  signal: AbortSignal,
): HTMLElement {
  const line = el('p', { class: 'dim', role: 'status' }, text.waiting)
  const started = Date.now()
  const timer = setInterval(look, everyMs)
  signal.addEventListener('abort', () => clearInterval(timer))
  return line

  async function look(): Promise<void> {
    if (Date.now() - started > maxMs) return clearInterval(timer)
    // Without an answer it is asked again.
    if (!(await isFound().catch(() => false)) || signal.aborted) return
    clearInterval(timer)
    line.replaceChildren(icon('check'), text.connected)
  }
}

/** A text that can only be copied, with a button that does, and a link where there is one. */
export function copyRow(
  app: App,
  { id, label, value, link, note }: Setup,
): { row: HTMLElement; copy: HTMLElement } {
  const field = el('input', { class: 'field mono', id, readonly: true, value, onfocus: () => field.select() })
  const copy = el(
    'button',
    { class: 'button', type: 'button', 'aria-label': `Copy: ${label}`, onclick: copyValue },
    icon('copy'),
    'Copy',
  )
  const row = el(
    'div',
    { class: 'token-copy' },
    el('label', { class: 'field-label', for: id }, label),
    el('div', { class: 'row' }, el('div', { class: 'grow' }, field), copy),
    link &&
      el(
        'div',
        { class: 'row' },
        el('a', { class: 'button button-small', href: link.href }, icon('external'), link.text),
      ),
    note && el('p', { class: 'dim small' }, note),
  )
  return { row, copy }

  // Over plain http there is no clipboard: the text is selected instead.
  async function copyValue(): Promise<void> {
    try {
      await navigator.clipboard.writeText(value)
      copy.replaceChildren(icon('check'), 'Copied')
      app.announce('Copied')
    } catch {
      field.focus()
      app.announce('Press Ctrl+C to copy the selected text.')
    }
  }
}
