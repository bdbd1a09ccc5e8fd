// npm run import. Exit codes: 0 done (skipped files included), 1 failed, 2 wrong arguments, 130 interrupted.

import { resolve } from 'node:path'
import { loadConfig } from '../config.ts'
import { parseCommand, usage } from './import-args.ts'
import { openTarget } from './import-target.ts'
import { runCommand } from './run-command.ts'
import { runImport } from './run-import.ts'

await runCommand({ usage, failure: 'The import failed.' }, main)

async function main(args: string[]): Promise<number> {
  const command = parseCommand(args)
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
