import type { AgentToken } from '../../../lib/contract/agents.ts'
import type { App } from '../../app/app.ts'
import { showDialog } from '../../components/dialog.ts'
import { icon } from '../../components/icon.ts'
import { el } from '../../dom.ts'
import { firstCall } from './first-call.ts'

/** A token as it is answered once. */
export type NewToken = AgentToken & { token: string }

/** Shows a new token, and what connects common programs with it. Nothing of this can be shown again. */
export function showToken(made: NewToken, app: App): void {
  const { token } = made
  const closed = new AbortController()
  const url = `${location.origin}/mcp`
  const header = `Authorization: Bearer ${token}`
  const command = `claude mcp add --transport http void ${url} --header "${header}"`
  const server = { type: 'http', url, headers: { Authorization: `Bearer ${token}` } }
  const first = copyRow(app, { id: 'new-token', label: 'Token', value: token })
  const dialog = showDialog(
    { title: 'New token', name: 'token', onClose: () => closed.abort() },
    el('p', {}, 'Copy this token now. Void stores only its hash and cannot show it again.'),
    first.row,
    copyRow(app, { id: 'new-token-claude', label: 'Claude Code', value: command }).row,
    copyRow(app, {
      id: 'new-token-cursor',
      label: 'Cursor and others (mcp.json)',
      value: JSON.stringify({ mcpServers: { void: server } }),
    }).row,
    copyRow(app, {
      id: 'new-token-vscode',
      label: 'VS Code (.vscode/mcp.json)',
      value: JSON.stringify({ servers: { void: server } }),
    }).row,
    firstCall(app, made, closed.signal),
    el(
      'div',
      { class: 'row' },
      el('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, 'Done'),
    ),
  )
  first.copy.focus()
}

type Copied = { id: string; label: string; value: string }

/** A text that can only be copied, with a button that does. */
function copyRow(app: App, { id, label, value }: Copied): { row: HTMLElement; copy: HTMLElement } {
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
