// node receive-traces.js FILE: a receiver of OTLP over HTTP on its usual port, which writes each request as a line.

import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [file] = process.argv.slice(2)

createServer(async (req, res) => {
  const chunks = []
  for await (const chunk of req) chunks.push(chunk)
  const { method, url, headers } = req
  const body = JSON.parse(Buffer.concat(chunks).toString())
  appendFileSync(file, `${JSON.stringify({ method, url, type: headers['content-type'], body })}\n`)
  res.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}')
}).listen(4318, '127.0.0.1')
