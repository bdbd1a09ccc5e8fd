// The turn endpoint for channels without a screen: one JSON answer, with something to say whatever happens.

import type { Request, Response } from 'express'
import { answerAloud, refusalAloud } from '../companion/spoken/answer-aloud.ts'
import type { SpokenAnswer } from '../contract/companion.ts'
import type { TurnRow } from '../db/repos/turns.ts'
import type { Deps } from './deps.ts'
import { toAppError } from './errors.ts'

/** Whether the caller wants one JSON answer rather than a stream of events. */
export const wantsJson = (req: Request): boolean =>
  req.accepts(['text/event-stream', 'application/json']) === 'application/json'

/**
 * Answers with a `SpokenAnswer`. A message that was not taken has the status of its error, and the usual error beside
 * the text; a turn that failed was taken, and is 200.
 */
export async function speakTurn(
  deps: Deps,
  { req, res, start }: { req: Request; res: Response; start: () => Promise<TurnRow> },
): Promise<void> {
  const gone = new AbortController()
  res.on('close', () => gone.abort())
  res.setHeader('cache-control', 'no-store')
  try {
    const turn = await start()
    const { database, companion } = deps
    const baseUrl = deps.publicUrl ?? `${req.protocol}://${req.headers.host}`
    res.json(await answerAloud({ database, companion, baseUrl, signal: gone.signal }, turn))
  } catch (error) {
    const { code, message, details, status } = toAppError(error)
    if (status >= 500) deps.logger.error({ err: error, request_id: req.id }, message)
    const answer: SpokenAnswer = {
      text: refusalAloud(code),
      open_in_browser: null,
      turn_id: null,
      conversation_id: null,
      routed: null,
      draft_ids: [],
      stop_reason: null,
      error: { code, message, retryable: status >= 500 || status === 409 },
    }
    const usual = { ...answer.error, ...(details ? { details } : {}), request_id: req.id }
    res.status(status).json({ ...answer, error: usual })
  }
}
