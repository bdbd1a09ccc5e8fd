import type { Offer } from '../../../lib/outside/mcp/offer.ts'

/** An offer of nothing, whose every function does the same. */
export function emptyOffer(answer: () => Promise<never>): Offer {
  const tasks = { find: answer, update: answer, cancel: answer }
  return {
    info: { name: 'empty', version: '1' },
    capabilities: { resources: { subscribe: true } },
    lists: { ttlMs: 0, cacheScope: 'private' },
    ...{ tools: [], resourceTemplates: [], listPrompts: async () => [], tasks },
    ...{ callTool: answer, listResources: answer, readResource: answer, getPrompt: answer, complete: answer },
  }
}
