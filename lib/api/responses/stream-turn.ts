import type { Response } from 'express'
import type { ReadTurn } from '../../companion/stream/read-turn.ts'
import type { Actor } from '../../core/actor.ts'
import type { Deps } from '../deps.ts'
import { endWithSession } from './end-with-session.ts'
import { openSse } from './sse.ts'

/** Milliseconds after which a reader that a stopping server lets go is to come back. */
const retryMs = 500

/** Streams the events of a turn after a given one until its last, or until the reader has gone or is signed out. */
export async function streamTurn(
  deps: Pick<Deps, 'companion' | 'server'>,
  { actor, res }: { actor: Actor; res: Response },
  { turn, after }: Pick<ReadTurn, 'turn' | 'after'>,
): Promise<void> {
  const gone = new AbortController()
  const sse = openSse(res, { onClose: () => gone.abort() })
  endWithSession(deps, { actor, res, end: () => gone.abort() })
  const end = await deps.companion.read({
    turn,
    after,
    onEvent: ({ seq, type, data }) => sse.send({ id: seq, type, data }),
    drained: sse.drained,
    signal: gone.signal,
  })
  sse.end(end === 'left' ? { retryMs } : {})
}
