// A reader of the turn endpoint over real HTTP.

import type { TurnEvent } from '../../lib/contract/events/events.ts'
import { readEvents } from '../../lib/core/text/event-stream.ts'
import { ownerToken } from './build-app.ts'

export type Frame = TurnEvent & { id: number }

export type TurnRequest = {
  url: string
  space_id: string
  body: Record<string, unknown>
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** The raw response of a turn. */
export async function postTurn({ url, space_id, body, headers, signal }: TurnRequest): Promise<Response> {
  return await fetch(`${url}/api/spaces/${space_id}/companion/turn`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  })
}

/** The frames of a stream as they come. */
export async function* readFrames(response: Response): AsyncGenerator<Frame> {
  if (!response.body) throw new Error('the answer has no body')
  for await (const { id, type, data } of readEvents(response.body)) {
    yield { id: Number(id), type, data: JSON.parse(data) } as Frame
  }
}

/** All frames of a turn. */
export async function takeTurn(request: TurnRequest): Promise<Frame[]> {
  const response = await postTurn(request)
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  return await Array.fromAsync(readFrames(response))
}

/** The raw response of a turn's events. */
export async function followTurn(
  url: string,
  turnId: string,
  {
    query = '',
    headers = {},
    signal,
  }: { query?: string; headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
  return await fetch(`${url}/api/turns/${turnId}/events${query}`, {
    headers: { authorization: `Bearer ${ownerToken}`, ...headers },
    ...(signal ? { signal } : {}),
  })
}

export const ofType = <Type extends Frame['type']>(frames: readonly Frame[], type: Type) =>
  frames.filter((frame): frame is Extract<Frame, { type: Type }> => frame.type === type)

export const answerOf = (frames: readonly Frame[]) =>
  ofType(frames, 'delta')
    .map(({ data }) => data.text)
    .join('')
