import { runTool } from '../../lib/ai/agent/run-tool.ts'
import type { ToolServices } from '../../lib/ai/agent/services.ts'
import { companionRegistry } from '../../lib/ai/agent/tools/index.ts'
import type { AgentRow } from '../../lib/db/repos/agents.ts'

type Caller = {
  agent: AgentRow
  services: ToolServices
  space_id: string
  /** Default: the agent's own. */
  capabilities?: AgentRow['capabilities']
}

/** Runs one tool of the companion as the loop does, outside of a turn; its result as the model reads it. */
export async function runCompanionTool(
  { agent, services, space_id, capabilities = agent.capabilities }: Caller,
  name: string,
  input: unknown,
) {
  const { result, draft } = await runTool({
    call: { id: crypto.randomUUID(), name, input },
    registry: companionRegistry,
    ctx: {
      agent,
      space_id,
      view: null,
      actor: { kind: 'agent', agent_id: agent.id, slug: agent.slug, capabilities, spaces: [space_id] },
      turn: null,
      signal: new AbortController().signal,
      services,
    },
    maxBytes: 50_000,
    onEvent: () => {},
    now: () => 0,
  })
  const text = typeof result.content === 'string' ? result.content : JSON.stringify(result.content)
  return { text, isError: result.is_error === true, draft }
}
