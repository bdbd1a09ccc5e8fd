import type { Response } from 'express'
import type { Companion } from '../companion/companion.ts'
import type { ReadTurn } from '../companion/read-turn.ts'
import { openSse } from './sse.ts'

/** Milliseconds after which a reader that a stopping server lets go is to come back. */
const retryMs = 500

/** Streams the events of a turn after a given one until its last, or until the reader has gone. */
export async function streamTurn(
  companion: Companion,
  res: Response,
  { turn, after }: Pick<ReadTurn, 'turn' | 'after'>,
): Promise<void> {
  const gone = new AbortController()
  const sse = openSse(res, { onClose: () => gone.abort() })
  const end = await companion.read({
    turn,
    after,
    tell: ({ seq, type, data }) => sse.send({ id: seq, type, data }),
    drained: sse.drained,
    signal: gone.signal,
  })
  sse.end(end === 'left' ? { retryMs } : {})
}
