import type { ServerEvent } from '../../../lib/text/event-stream.ts'

/** `readEvents` of the module that reads them, loaded with the first stream: a page is alive without it. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const { readEvents: read } = await import('../../../lib/text/event-stream.ts')
  yield* read(body)
}
