// A Messages API in a process of its own, as fast as it can be: what a measured server spends is its own. What it says
// follows from the last message alone, so that any number of conversations can go on at once. The first two it says in
// Chat Completions, too.
//
//   "two tools …"  search, then read the first page found, then 200 deltas of text
//   "plain …"      200 deltas of text
//   "slow N …"     N deltas, one every 20 ms, each with the time at which it was sent
//   "slow N every MS …"  the same at another pace
//   "hold …"       one delta, and nothing more until the connection is closed

import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { chatFramesOf } from '../../helpers/fake-chat.ts'
import { type FakeMessage, framesOf, message, text, toolUse } from '../../helpers/fake-messages.ts'
import { answerDeltas, answerText } from './answer.ts'
import { nowUs, stampLength, stampOf } from './stamp.ts'

const slowEveryMs = 20
const answer = message([text(answerText, { deltas: answerDeltas })])
const answerFrames = { messages: framesOf(answer).join(''), chat: chatFramesOf(answer).join('') }
const begun = framesOf(message([text('One moment.')]))
  .slice(0, 4)
  .join('')

const server = createServer(async (request, response) => {
  // It lists no models.
  if (request.method === 'GET') return response.writeHead(404).end()
  const body = await readBody(request)
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  const last = JSON.stringify(JSON.parse(body).messages.at(-1))
  const [, slow, pace] = /"slow (\d+)(?: every (\d+))?/.exec(last) ?? []
  if (last.includes('"hold')) return response.write(begun)
  if (slow) await writeSlowly(response, Number(slow), pace ? Number(pace) : slowEveryMs)
  else {
    const isChat = request.url?.startsWith('/v1/chat/completions')
    const reply = nextReply(last)
    if (reply === answer) response.write(isChat ? answerFrames.chat : answerFrames.messages)
    else response.write((isChat ? chatFramesOf(reply) : framesOf(reply)).join(''))
  }
  response.end()
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`)
})
process.on('SIGTERM', () => process.exit(0))

function nextReply(last: string): FakeMessage {
  if (last.includes('"two tools') || /\\n\\ntwo tools/.test(last))
    return message([toolUse('search', { q: 'what is said of kan bin' }, { id: newId('search') })])
  const found = /"tool_(?:use|call)_id":"search_.*?void:\/\/page\/([0-9a-f-]{36})/.exec(last)?.[1]
  return found ? message([toolUse('read', { kind: 'page', id: found }, { id: newId('read') })]) : answer
}

const newId = (name: string) => `${name}_${randomUUID().replaceAll('-', '')}`

/** Each delta at its own time, counted from the first: a late one does not shift those after it. */
async function writeSlowly(response: ServerResponse, count: number, everyMs: number): Promise<void> {
  const mark = '#'.repeat(stampLength)
  const [head, tail] = framesOf(message([text(mark)]))
    .join('')
    .split('event: content_block_delta')
  const [delta, ...rest] = `event: content_block_delta${tail}`.split('\n\n')
  response.write(head)
  const started = performance.now()
  for (let n = 1; n <= count && !response.destroyed; n += 1) {
    await delay(Math.max(0, started + n * everyMs - performance.now()))
    response.write(`${delta?.replace(mark, stampOf(nowUs()))}\n\n`)
  }
  response.write(rest.join('\n\n'))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
