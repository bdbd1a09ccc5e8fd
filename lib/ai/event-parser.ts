// Server-sent events out of chunks of bytes, by https://html.spec.whatwg.org/multipage/server-sent-events.html. All of
// a chunk's events come at once: an iterator that yields them one by one costs more than the parsing.

export type ServerSentEvent = { event: string; data: string }

export type EventParser = {
  /** The events that are whole with this chunk, in order. Ones without data are left out. */
  push(chunk: Uint8Array): ServerSentEvent[]
}

export function createEventParser(): EventParser {
  const decoder = new TextDecoder()
  let rest = ''
  let event = ''
  let data: string[] = []

  function takeLine(line: string, events: ServerSentEvent[]): void {
    if (line === '') {
      if (data.length > 0) events.push({ event, data: data.join('\n') })
      event = ''
      data = []
      return
    }
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const from = line[colon + 1] === ' ' ? colon + 2 : colon + 1
    if (field === 'data') data.push(colon === -1 ? '' : line.slice(from))
    else if (field === 'event') event = colon === -1 ? '' : line.slice(from)
  }

  return {
    push(chunk) {
      const events: ServerSentEvent[] = []
      const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop() ?? ''
      for (const line of lines) takeLine(line, events)
      return events
    },
  }
}
