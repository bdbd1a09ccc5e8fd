// A Messages API in a process of its own that speaks Markdown at a given pace.
//
//   "paced N MS …"  N deltas, one every MS milliseconds, each with a word of its own: w1 … wN
//   anything else   a short answer with a list and some code, at once

import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { framesOf, message, text } from '../../helpers/fake-messages.ts'
import { createProse } from './prose.ts'

const prose = createProse(11)
const short = framesOf(
  message([
    text(
      `## ${prose.words(3).join(' ')}\n\n${prose.page('x').body}\n\n- one\n- **two**\n\n\`\`\`ts\nlet x = 1\n\`\`\`\n`,
    ),
  ]),
).join('')

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  const last = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()).messages.at(-1))
  const [, count, pace] = /paced (\d+) (\d+)/.exec(last) ?? []
  if (count && pace) await speak(response, Number(count), Number(pace))
  else response.write(short)
  response.end()
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`)
})
process.on('SIGTERM', () => process.exit(0))

/** Each delta at its own time, counted from the first: a late one does not shift those after it. */
async function speak(response: ServerResponse, count: number, paceMs: number): Promise<void> {
  const frames = framesOf(message([text('#')]))
  const at = frames.findIndex((frame) => frame.startsWith('event: content_block_delta'))
  const started = performance.now()
  response.write(frames.slice(0, at).join(''))
  for (let n = 1; n <= count && !response.destroyed; n += 1) {
    await delay(Math.max(0, started + n * paceMs - performance.now()))
    response.write(frames[at]!.replace('"#"', JSON.stringify(pieceOf(n))))
  }
  response.write(frames.slice(at + 1).join(''))
}

/** The nth piece of a long text: paragraphs, headings, lists, a table and code follow one another. */
function pieceOf(n: number): string {
  const word = `w${n} ${prose.words(1)[0]} `
  if (n % 400 === 0) return `\n\n| a | b |\n| - | - |\n| ${word} | 2 |\n\n`
  if (n % 250 === 0) return `\n\n\`\`\`ts\nconst ${word}= 1\n\`\`\`\n\n`
  if (n % 100 === 0) return `\n\n## ${word}\n\n`
  if (n % 60 < 10 && n > 60) return `\n- ${word}`
  if (n % 60 === 10) return `\n\n${word}`
  return n % 9 === 0 ? `**${word.trim()}** ` : word
}
