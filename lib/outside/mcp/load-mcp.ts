import type { Mcp } from './endpoint.ts'
import type { McpDeps } from './mcp-deps.ts'

/** The endpoint, loaded with its first request: most servers have no outside agents. */
export function loadMcp(deps: McpDeps): Mcp {
  let loaded: Promise<Mcp> | null = null
  const load = async () => (await import('./mcp.ts')).createMcp(deps)
  return {
    async answer(request) {
      loaded ??= load()
      return await (await loaded).answer(request)
    },
  }
}
