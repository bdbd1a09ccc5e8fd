import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { isConnectionFailure } from '../db/pg-errors.ts'
import { AppError, databaseUnavailable } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { Offer } from './offer.ts'

/** The same offer; what nobody expected is logged whole, and its client is told no more than over REST. */
export function guardOffer(offer: Offer, logger: Pick<Logger, 'error'>): Offer {
  const guard =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await work(...args)
      } catch (error) {
        throw toProtocolError(error)
      }
    }
  const { find, update, cancel } = offer.tasks
  return {
    ...offer,
    callTool: guard(offer.callTool),
    listResources: guard(offer.listResources),
    readResource: guard(offer.readResource),
    getPrompt: guard(offer.getPrompt),
    complete: guard(offer.complete),
    tasks: { find: guard(find), update: guard(update), cancel: guard(cancel) },
  }

  function toProtocolError(error: unknown): ProtocolError {
    if (error instanceof ProtocolError) return error
    if (error instanceof AppError && error.status < 500)
      return new ProtocolError(ProtocolErrorCode.InvalidParams, error.message)
    logger.error({ err: error }, 'MCP request failed')
    const message = isConnectionFailure(error) ? databaseUnavailable(error).message : 'Internal server error.'
    return new ProtocolError(ProtocolErrorCode.InternalError, message)
  }
}
