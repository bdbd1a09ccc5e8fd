import { z } from 'zod'
import type { Tool } from '../../../ai/agent/registry.ts'

/** Ends a run of a routine in silence. Offered in such runs alone. */
export const nothingToDoTool: Tool<{ why?: string | undefined }, { ended: true }> = {
  name: 'nothing_to_do',
  title: 'Nothing to do',
  description:
    'End this run in silence, because there is nothing that the owner needs to know or decide. Nothing of it is shown.',
  input: z.object({ why: z.string().max(500).optional().describe('For the log') }),
  capability: 'read',
  actionClass: 'navigational',
  ends: true,
  handler: async () => ({ ended: true }),
  given: () => [],
}
