import { type CallModel, ModelError } from '../model.ts'
import type { Abilities } from './abilities.ts'
import { withSourcesAsText } from './sources-as-text.ts'
import { withoutImages } from './without-images.ts'

/**
 * A model that is sent only what its server takes. A refusal that names passages is remembered (`learn`), and the request
 * is sent again with them as text.
 */
export function adaptTo(
  callModel: CallModel,
  abilities: Abilities,
  learn: (found: Partial<Abilities>) => Promise<void>,
): CallModel {
  const call: CallModel =
    abilities.images === false
      ? (request) => callModel({ ...request, messages: request.messages.map(withoutImages) })
      : callModel
  if (!abilities.blocks) return withSourcesAsText(call)
  return async (request) => {
    try {
      return await call(request)
    } catch (error) {
      if (!refusesPassages(error)) throw error
      await learn({ blocks: false })
      return await withSourcesAsText(call)(request)
    }
  }
}

const refusesPassages = (error: unknown): boolean =>
  error instanceof ModelError &&
  error.code === 'model_bad_request' &&
  /search_result|tool_result|citations/i.test(String(error.cause))
