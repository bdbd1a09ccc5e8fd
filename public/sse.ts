// Server-sent events, read from a stream of bytes or text cut anywhere:
// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation

export type ServerEvent = { id: string; type: string; data: string }

export type SseParser = {
  /** Takes the next piece of text and returns the events that it completes. */
  push(text: string): ServerEvent[]
}

export function createSseParser(): SseParser {
  let rest = ''
  let id = ''
  let type = ''
  let data: string[] = []
  let afterReturn = false
  let first = true

  return {
    push(text) {
      rest += text
      if (first && rest !== '') {
        rest = rest.replace(/^\uFEFF/, '')
        first = false
      }
      const events: ServerEvent[] = []
      for (let line = takeLine(); line !== null; line = takeLine()) {
        const event = readLine(line)
        if (event) events.push(event)
      }
      return events
    },
  }

  // A line ends with \n, \r or \r\n; when a piece ends in \r, a \n at the start of the next one belongs to it.
  function takeLine(): string | null {
    if (afterReturn && rest.startsWith('\n')) rest = rest.slice(1)
    if (rest !== '') afterReturn = false
    const end = rest.search(/[\r\n]/)
    if (end === -1) return null
    const line = rest.slice(0, end)
    afterReturn = rest[end] === '\r'
    rest = rest.slice(end + 1)
    return line
  }

  function readLine(line: string): ServerEvent | null {
    if (line === '') return dispatch()
    const colon = line.indexOf(':')
    if (colon === 0) return null
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') data.push(value)
    else if (field === 'event') type = value
    else if (field === 'id' && !value.includes('\0')) id = value
    return null
  }

  function dispatch(): ServerEvent | null {
    const event = data.length === 0 ? null : { id, type: type || 'message', data: data.join('\n') }
    type = ''
    data = []
    return event
  }
}

/** The events of a response's body, as they come. Rejects when the connection breaks. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const parser = createSseParser()
  const decoder = new TextDecoder()
  for await (const bytes of body) yield* parser.push(decoder.decode(bytes, { stream: true }))
}
