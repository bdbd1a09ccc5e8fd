// The turn endpoint for channels without a screen: one JSON answer, or lines of JSON that can be spoken as they come,
// with something to say whatever happens.

import type { Request, Response } from 'express'
import {
  acknowledge,
  type PlainTextOptions,
  plainTextAnswer,
  plainTextRefusal,
  spokenProgress,
} from '../companion/plain-text-answer.ts'
import type { SpokenAnswer, SpokenLine, SpokenRefusal } from '../contract/companion/companion.ts'
import type { Actor } from '../core/actor.ts'
import type { TurnRow } from '../db/repos/turns.ts'
import type { Deps } from './deps.ts'
import { toAppError } from './errors.ts'
import { ownAddress } from './route.ts'
import { endWithSession } from './sse.ts'

type Spoken = { req: Request; res: Response; start: () => Promise<TurnRow> }

/**
 * Answers with a `PlainTextAnswer`. A message that was not taken has the status of its error, and the usual error beside
 * the text; a turn that failed was taken, and is 200.
 */
export async function respondAsJson(deps: Deps, { req, res, start }: Spoken): Promise<void> {
  const gone = new AbortController()
  res.on('close', () => gone.abort())
  const { status, answer } = await speak(deps, req, start, { signal: gone.signal })
  res.status(status).json(answer)
}

/** A message that is refused within this time has the status of its error; after it the acknowledgement has gone out. */
const acknowledgeMs = 300

const progressMs = 10_000

/** A line every ten seconds keeps the connection, so it can wait for longer than a single answer. */
const timeoutMs = 10 * 60_000

/**
 * Answers with a `SpokenLine` at once, further ones while the turn goes on, and the whole answer as the last. A message
 * that is refused later than the first line is told in the last one.
 */
export async function respondAsLines(
  deps: Deps,
  { req, res, start, actor, text }: Spoken & { actor: Actor; text: string },
): Promise<void> {
  const gone = new AbortController()
  res.on('close', () => gone.abort())
  endWithSession(deps, { actor, res, end: () => gone.abort() })
  const send = (line: SpokenLine) => res.write(`${JSON.stringify(line)}\n`)
  const begin = () => {
    res.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'no-store' })
    send({ type: 'acknowledgement', text: acknowledge(text) })
  }

  const progress = spokenProgress()
  const waiting = setTimeout(begin, acknowledgeMs)
  const timer = setInterval(() => send({ type: 'progress', text: progress.text() }), progressMs)
  try {
    const begun = async () => {
      const turn = await start()
      if (!res.headersSent) begin()
      clearTimeout(waiting)
      return turn
    }
    const { signal } = gone
    const { status, answer } = await speak(deps, req, begun, { signal, timeoutMs, onEvent: progress.add })
    if (res.headersSent) res.end(`${JSON.stringify({ type: 'answer', ...answer })}\n`)
    else res.status(status).json(answer)
  } finally {
    clearTimeout(waiting)
    clearInterval(timer)
  }
}

/** A page in view follows it at once; else it waits for the next visit. */
const storeOpening =
  ({ repos, server }: Deps) =>
  async (draft: { pending_change_id: string; space_id: string }): Promise<void> => {
    const { id, space_id, pending_change_id } = await repos.pendingOpenings.insert(draft)
    server.live.publish({ type: 'opening', data: { id, space_id, pending_change_id } })
  }

async function speak(
  deps: Deps,
  req: Request,
  start: Spoken['start'],
  options: PlainTextOptions,
): Promise<{ status: number; answer: SpokenAnswer }> {
  const unheard = { signal: new AbortController().signal, timeoutMs }
  const logFailure = (err: unknown) => deps.server.logger.warn({ err }, 'opening not stored')
  try {
    const turn = await start()
    const parts = { ...deps, baseUrl: ownAddress(req, deps.server.publicUrl), onWaiting: storeOpening(deps) }
    const answer = await plainTextAnswer(parts, turn, options)
    // It goes on by itself: what it drafts is stored all the same.
    if (!answer.stop_reason && !answer.error) void plainTextAnswer(parts, turn, unheard).catch(logFailure)
    return { status: 200, answer }
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
        retryable: status >= 500 || status === 409 || status === 429,
        ...(details ? { details } : {}),
        request_id: String(req.id),
      },
    }
    return { status, answer }
  }
}
