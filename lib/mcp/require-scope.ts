import { z } from 'zod'
import type { ToolRegistry } from '../ai/agent/registry.ts'
import { AppError } from '../errors.ts'

const call = z.looseObject({
  method: z.literal('tools/call'),
  params: z.looseObject({ name: z.string() }),
})

/**
 * For a token that only reads: throws a 403 `AppError` when the body calls a tool that drafts. A program can ask the owner
 * for more then, which the result of a tool could not say.
 */
export function requireScope(registry: ToolRegistry, body: unknown): void {
  for (const message of [body].flat()) {
    const { data } = call.safeParse(message)
    const tool = data && registry.getTool(data.params.name)
    if (tool && tool.capability !== 'read' && tool.actionClass !== 'navigational')
      throw new AppError(
        'insufficient_scope',
        403,
        `${tool.name} needs the scope suggest. Ask the owner for it.`,
      )
  }
}
