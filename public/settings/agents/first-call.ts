import type { AgentToken } from '../../../lib/contract/agents.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { App } from '../../app/app.ts'
import { icon } from '../../components/icon.ts'
import { el } from '../../dom.ts'

const everyMs = 2000
/** A dialog that is left open asks no more after this. */
const maxMs = 15 * 60_000

/** A line that says when a token was used for the first time, until `signal`. */
export function firstCall(
  app: App,
  token: Pick<AgentToken, 'id' | 'agent_id'>,
  signal: AbortSignal,
): HTMLElement {
  const line = el('p', { class: 'dim', role: 'status' }, 'Waiting for the first call with this token…')
  const started = Date.now()
  const timer = setInterval(look, everyMs)
  signal.addEventListener('abort', () => clearInterval(timer))
  return line

  async function look(): Promise<void> {
    if (Date.now() - started > maxMs) return clearInterval(timer)
    const path = `/api/agents/${token.agent_id}/tokens?limit=200`
    // Without an answer it is asked again.
    const tokens = await app.api.get<List<AgentToken>>(path, { signal }).catch(() => null)
    if (!tokens?.items.some(({ id, last_used_at }) => id === token.id && last_used_at)) return
    clearInterval(timer)
    line.replaceChildren(icon('check'), 'It has connected.')
  }
}
