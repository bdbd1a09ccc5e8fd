// The tools of the companion and of outside agents. A new tool is a file beside this one and a line here.

import type { Kind } from '../../../contract/entities/kind.ts'
import { kinds } from '../../../contract/entities/kinds.ts'
import { memoryKind } from '../../../contract/memory.ts'
import { createRegistry, type ToolRegistry } from '../registry.ts'
import { callToolTool } from './call_tool.ts'
import { changesTool } from './changes.ts'
import { contextTool } from './context.ts'
import { findToolTool } from './find_tool.ts'
import { createHighlightTool } from './highlight.ts'
import { createListTool } from './list.ts'
import { createOpenTool } from './open.ts'
import { createProposeChangeTool } from './propose_change.ts'
import { createReadTool } from './read.ts'
import { readEmailThreadTool } from './read_email_thread.ts'
import { researchTool } from './research.ts'
import { reviseChangeTool } from './revise_change.ts'
import { createSearchTool } from './search.ts'
import { searchEmailTool } from './search_email.ts'
import { withdrawChangeTool } from './withdraw_change.ts'

/** The tools of an audience over the given kinds. */
function createAllTools(given: readonly Kind[], audience: 'companion' | 'agents'): ToolRegistry {
  // Saved views are how the owner looks at pages, and nothing to read: they would cost tokens in every request.
  const all = given.filter(({ searched }) => searched)
  const registry = createRegistry()
  registry.registerTool(createSearchTool(all))
  registry.registerTool(createReadTool(all))
  registry.registerTool(contextTool)
  const drafted =
    audience === 'companion' ? [...all, kinds.get('reply'), kinds.get('routine'), memoryKind] : all
  registry.registerTool(createProposeChangeTool(drafted, audience))
  registry.registerTool(createListTool(all))
  registry.registerTool(createOpenTool(all))
  registry.registerTool(createHighlightTool(all))
  registry.registerTool(changesTool)
  registry.registerTool(reviseChangeTool)
  registry.registerTool(withdrawChangeTool)
  registry.registerTool(researchTool)
  registry.registerTool(findToolTool)
  registry.registerTool(callToolTool)
  registry.registerTool(searchEmailTool)
  registry.registerTool(readEmailThreadTool)
  return registry.offeredTo(audience)
}

/** The companion's tools over the given kinds. */
export const createCompanionRegistry = (all: readonly Kind[]) => createAllTools(all, 'companion')

/** The tools of outside agents over the given kinds. */
export const createAgentRegistry = (all: readonly Kind[]) => createAllTools(all, 'agents')

/** The companion's tools over Void's own kinds. */
export const companionRegistry = createCompanionRegistry(kinds.all)
