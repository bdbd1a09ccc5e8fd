import type { Agent, AgentToken } from '../../../lib/contract/agents.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { App } from '../../app/app.ts'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'

const everyMs = 2000
/** A dialog that is left open asks no more after this. */
const maxMs = 15 * 60_000

/** A line that says when a token was used for the first time, until `signal`. */
export function firstCall(
  app: App,
  token: Pick<AgentToken, 'id' | 'agent_id'>,
  signal: AbortSignal,
): HTMLElement {
  return waitingLine(
    { waiting: 'Waiting for the first call with this token…', found: 'It has connected.' },
    async () => {
      const tokens = await listTokens(app, token.agent_id, signal)
      return tokens.some(({ id, last_used_at }) => id === token.id && last_used_at !== null)
    },
    signal,
  )
}

/** A line that says when a program was connected that was not before, until `signal`. */
export function firstConnection(app: App, signal: AbortSignal): HTMLElement {
  const known = connections()
  return waitingLine(
    { waiting: 'Waiting for a program to connect…', found: 'A program has connected.' },
    async () => {
      const [before, now] = await Promise.all([known, connections()])
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
  text: { waiting: string; found: string },
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
    line.replaceChildren(icon('check'), text.found)
  }
}
