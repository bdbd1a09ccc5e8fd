import { type DestinationStream, type Logger, pino } from 'pino'
import { createScrubber, type Scrubber } from './scrubber.ts'

export type { Logger } from 'pino'

const scrubbers = Symbol('scrubber')

/**
 * The log: JSON lines on standard output. Secrets do not reach it: credentials in headers are struck out here, nothing
 * else logs a header, a body or the configuration, and what its scrubber knows is taken out of every line.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const scrubber = createScrubber()
  const options = {
    level,
    base: undefined,
    redact: {
      paths: ['req.headers.authorization', 'req.headers.cookie', 'res.headers["set-cookie"]'],
      censor: '[secret]',
    },
    hooks: { streamWrite: (line: string) => scrubLine(line, scrubber) },
  }
  const logger = destination ? pino(options, destination) : pino(options)
  return Object.assign(logger, { [scrubbers]: scrubber })
}

/** Knows the secrets in use: of the log, and of what else leaves this process. A logger made elsewhere has a new one. */
export const scrubberOf = (logger: Logger): Scrubber => Reflect.get(logger, scrubbers) ?? createScrubber()

/** Names and numbers stay: a secret may look like one. What is quoted within the line's own quotes is read without them. */
function scrubLine(line: string, { scrub }: Scrubber): string {
  if (!line.includes('\\') && scrub(line) === line) return line
  const scrubbed = JSON.parse(line, (_, value) => (typeof value === 'string' ? scrub(value) : value))
  return `${JSON.stringify(scrubbed)}\n`
}
