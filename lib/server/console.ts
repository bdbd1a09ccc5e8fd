// What a server says beside its log, at its start and at its end: text for a person, or with LOG_FORMAT=json lines of the
// log, from the first to the last.

import { AppError, storageFull } from '../core/errors.ts'
import { createLogger } from '../core/logger.ts'
import { remedyFor, systemReason } from '../core/system-error.ts'
import { isDiskFull } from '../db/pg-errors.ts'
import { ConfigError } from './config.ts'

export type Console = {
  /** `fields`: what the text says, for a program. */
  info(text: string, fields?: Readonly<Record<string, unknown>>): void
  warn(text: string): void
  /** `error`: a bug, with its stack. */
  error(text: string, error?: unknown): void
}

const text: Console = {
  info: (line) => console.log(line),
  warn: (line) => console.error(line),
  error: (line, error) => console.error(line, ...(error === undefined ? [] : [error])),
}

export function createConsole(json: boolean): Console {
  if (!json) return text
  // LOG_LEVEL is for the log: a link to sign in is none of it.
  const logger = createLogger('info')
  process.removeAllListeners('warning')
  process.on('warning', (warning) => logger.warn({ err: warning }, warning.message))
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught exception')
    process.exit(1)
  })
  return {
    info: (line, fields = {}) => logger.info(fields, line.split('\n', 1)[0]),
    warn: (line) => logger.warn(line),
    error: (line, error) => logger.fatal(error === undefined ? {} : { err: error }, line),
  }
}

/** The reason of a failure that a person can do something about, as sentences; `null` for a bug. */
export function explainFailure(error: unknown): string | null {
  if (isDiskFull(error)) return storageFull().message
  if (error instanceof ConfigError || error instanceof AppError) return error.message
  const reason = systemReason(error)
  if (reason === null) return null
  const path: unknown = error instanceof Error ? Reflect.get(error, 'path') : null
  return `${path ? `${path} cannot be used` : 'The system refused'}: ${reason}. ${remedyFor(error)}.`
}
