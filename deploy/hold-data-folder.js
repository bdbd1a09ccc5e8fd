// node deploy/hold-data-folder.js FOLDER COMMAND [ARGUMENT...]
//
// Runs the command while holding the lock that a server holds on its data folder: it fails when a server is running,
// and a server that is started meanwhile refuses to. Exits with the command's code.

import { spawnSync } from 'node:child_process'
import { AppError } from '../lib/core/errors.ts'
import { claimDataFolder } from '../lib/db/data-folder.ts'

const [folder, command, ...args] = process.argv.slice(2)
const usage =
  'node deploy/hold-data-folder.js FOLDER COMMAND [ARGUMENT...]: runs it while no Void has the data folder.'
if (!command) {
  const asked = folder === '--help' || folder === '-h'
  console.log(usage)
  process.exit(asked ? 0 : 2)
}

try {
  const held = claimDataFolder(folder)
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' })
  held.release()
  if (error) console.error(`${command} did not run: ${error.message}`)
  process.exitCode = status ?? 1
} catch (error) {
  if (!(error instanceof AppError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
