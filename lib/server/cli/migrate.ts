// `npm run migrate`: brings the schema up to date without starting the server, so that a deployment learns of a
// migration that fails before it switches over. The embedded store must not be open: the server has to be stopped.

import { AppError } from '../../core/errors.ts'
import { migrate } from '../../db/migrate.ts'
import { ConfigError, loadConfig } from '../config.ts'
import { withStore } from './open-store.ts'

try {
  const ran = await withStore(loadConfig(), migrate)
  console.log(ran.length > 0 ? `Ran ${ran.join(', ')}.` : 'The schema is up to date.')
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof AppError)) throw error
  console.error(`Void cannot migrate. ${error.message}`)
  process.exit(1)
}
