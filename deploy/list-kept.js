import { AppError } from '../lib/core/errors.ts'
import { listKept } from '../lib/ops/maintenance/nightly-backup.ts'

const [folder, ...targets] = process.argv.slice(2)
const usage = `node deploy/list-kept.js FOLDER TARGET...

Prints what of a data folder belongs into a backup that is written into one of these folders, a name a line.`

if (!folder || folder.startsWith('-')) {
  console[folder ? 'log' : 'error'](usage)
  process.exit(folder ? 0 : 2)
}

try {
  console.log((await listKept(folder, targets)).join('\n'))
} catch (error) {
  if (!(error instanceof AppError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
