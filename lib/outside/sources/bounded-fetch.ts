// `fetch` for sources over http: no redirect is followed, since the headers would go along, and an answer that is longer
// than a result may be is broken off while it comes in.

import { AppError } from '../../core/errors.ts'

const maxRequestMs = 120_000

export function createBoundedFetch(maxBytes: number, inner: typeof fetch = fetch): typeof fetch {
  return async (input, init = {}) => {
    const limit = AbortSignal.timeout(maxRequestMs)
    const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit
    const response = await inner(input, { ...init, signal, redirect: 'manual' })
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel()
      throw new AppError('source_failed', 502, `It redirects (${response.status}), which is not followed.`)
    }
    if (!response.body) return response
    const { status, statusText, headers } = response
    const body = response.body.pipeThrough(boundBytes(maxBytes))
    return new Response(body, { status, statusText, headers })
  }
}

function boundBytes(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes <= maxBytes) controller.enqueue(chunk)
      else
        controller.error(new AppError('source_failed', 502, `It answered with more than ${maxBytes} bytes.`))
    },
  })
}
