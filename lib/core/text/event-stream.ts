import { createParser } from 'eventsource-parser'

/** `id` is the last one that the stream has named, '' before that; `type` is `message` where none is named. */
export type ServerEvent = { id: string; type: string; data: string }

export type EventReader = {
  /**
   * The events that are complete with this chunk, cut anywhere. All at once: an iterator that yields them one by one
   * costs more than the parsing. Throws a `SyntaxError` once an event is longer than `maxEventLength`.
   */
  push(chunk: Uint8Array): ServerEvent[]
}

/** Characters. The largest event is a draft's card, with texts of up to a megabyte before and after. */
export const maxEventLength = 32 * 1024 * 1024

/** Reads server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream. */
export function createEventReader(): EventReader {
  const decoder = new TextDecoder()
  let id = ''
  let events: ServerEvent[] = []
  const parser = createParser({
    maxBufferSize: maxEventLength,
    onId(next) {
      id = next
    },
    onEvent({ event, data }) {
      events.push({ id, type: event ?? 'message', data })
    },
    onError(error) {
      if (error.type !== 'max-buffer-size-exceeded') return
      throw new SyntaxError(`An event is longer than ${maxEventLength} characters.`, { cause: error })
    },
  })

  return {
    push(chunk) {
      events = []
      parser.feed(decoder.decode(chunk, { stream: true }))
      return events
    },
  }
}

/** The events of a response's body, as they come. Rejects when the connection breaks, and as `push` throws. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = createEventReader()
  for await (const bytes of body) yield* reader.push(bytes)
}
