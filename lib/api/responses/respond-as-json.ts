// The turn endpoint for channels without a screen: one JSON answer, with something to say whatever happens.

import type { Request, Response } from 'express'
import { plainTextAnswer, plainTextRefusal } from '../../companion/plain-text/plain-text-answer.ts'
import type { SpokenRefusal } from '../../contract/companion/companion.ts'
import type { TurnRow } from '../../db/repos/turns.ts'
import type { Deps } from '../deps.ts'
import { toAppError } from '../errors.ts'
import { ownAddress } from '../own-address.ts'

/** Whether the caller wants one JSON answer rather than a stream of events. */
export const wantsJson = (req: Request): boolean =>
  req.accepts(['text/event-stream', 'application/json']) === 'application/json'

/**
 * Answers with a `PlainTextAnswer`. A message that was not taken has the status of its error, and the usual error beside
 * the text; a turn that failed was taken, and is 200.
 */
export async function respondAsJson(
  deps: Deps,
  { req, res, start }: { req: Request; res: Response; start: () => Promise<TurnRow> },
): Promise<void> {
  const gone = new AbortController()
  res.on('close', () => gone.abort())
  try {
    const turn = await start()
    const { database, companion } = deps
    const baseUrl = ownAddress(req, deps.server.publicUrl)
    res.json(await plainTextAnswer({ database, companion, baseUrl, signal: gone.signal }, turn))
  } catch (error) {
    const { code, message, details, status } = toAppError(error)
    if (status >= 500) deps.server.logger.error({ err: error, request_id: req.id }, message)
    const answer: SpokenRefusal = {
      text: plainTextRefusal(code),
      open_in_browser: null,
      turn_id: null,
      conversation_id: null,
      routed: null,
      draft_ids: [],
      stop_reason: null,
      error: {
        code,
        message,
        retryable: status >= 500 || status === 409,
        ...(details ? { details } : {}),
        request_id: String(req.id),
      },
    }
    res.status(status).json(answer)
  }
}
