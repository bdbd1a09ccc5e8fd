// npm run import. Exit codes: 0 done (skipped files included), 1 failed, 2 wrong arguments, 130 interrupted.

import { resolve } from 'node:path'
import { AppError } from '../../core/errors.ts'
import { ConfigError, loadConfig } from '../config.ts'
import { parseCommand, UsageError, usage } from './import-args.ts'
import { openTarget } from './import-target.ts'
import { runImport } from './run-import.ts'

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  process.exitCode = fail(error)
}

async function main(args: string[]): Promise<number> {
  const command = parseCommand(args)
  if (!command) {
    console.log(usage)
    return 0
  }

  const config = loadConfig()
  const interrupted = interruption()
  const result = await runImport({
    command: { ...command, folder: resolve(command.folder) },
    openTarget: () => openTarget(config),
    output: process.stdout,
    signal: interrupted,
    now: () => performance.now(),
  })
  return result.stopped ? 130 : 0
}

/** Aborts on the first signal, so that the batch under way is finished; a second one ends the process at once. */
function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(130)
      controller.abort()
    })
  }
  return controller.signal
}

function fail(error: unknown): number {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${usage}`)
    return 2
  }
  if (error instanceof AppError || error instanceof ConfigError) {
    console.error(error.message)
    return error instanceof AppError && error.code === 'unreadable_folder' ? 2 : 1
  }
  console.error('The import failed.', error)
  return 1
}
