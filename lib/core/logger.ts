import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger } from 'pino'

/**
 * The log: JSON lines on standard output. Secrets do not reach it: credentials in headers are struck out here, and
 * nothing else logs a header, a body or the configuration.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: undefined,
    redact: {
      paths: ['req.headers.authorization', 'req.headers.cookie', 'res.headers["set-cookie"]'],
      censor: '[secret]',
    },
  }
  return destination ? pino(options, destination) : pino(options)
}
