import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createLogger, scrubberOf } from '../../lib/core/logger.ts'

function open() {
  const lines: string[] = []
  const write = (chunk: unknown, _: string, done: () => void) => {
    lines.push(String(chunk))
    done()
  }
  return { logger: createLogger('trace', new Writable({ write })), lines }
}

test('a secret in use is in no line of the log, however deep and however it is written', () => {
  const { logger, lines } = open()
  const secret = 'pa"ss\\word/4711'
  scrubberOf(logger).add(secret)
  const cause = new Error(`refused ${Buffer.from(`anna:${secret}`).toString('base64')}`)

  logger
    .child({ source: secret })
    .error(
      { err: new Error(secret, { cause }), list: [{ deep: JSON.stringify(JSON.stringify(secret)) }] },
      secret,
    )

  const parsed = JSON.parse(lines[0]!)
  expect(parsed).toMatchObject({ level: 50, source: '…', msg: '…', err: { type: 'Error' } })
  expect(lines[0]).not.toMatch(/ss\\|4711|OnBhInNz|cGEic3/)
})

test('a secret that looks like a name or a number of the log leaves the line whole', () => {
  const { logger, lines } = open()
  for (const secret of ['level', 'time', '1234', String(Date.now()).slice(0, 8)])
    scrubberOf(logger).add(secret)

  logger.info({ count: 1234 }, 'the time is now')

  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 30, count: 1234, msg: 'the … is now' })
})
