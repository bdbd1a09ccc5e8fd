// `npm run migrate`: brings the schema up to date without starting the server, so that a deployment learns of a
// migration that fails before it switches over. The embedded store must not be open: the server has to be stopped.

import { migrate } from '../../db/migrate.ts'
import { loadConfig } from '../config.ts'
import { withStore } from './open-store.ts'
import { refuseArguments, runCommand } from './run-command.ts'

const usage = `Brings the schema of the database up to date. A server does the same when it starts.

  npm run migrate

With the embedded database the server has to be stopped.`

await runCommand({ usage, failure: 'Void cannot migrate.' }, async (args) => {
  refuseArguments(args)
  const ran = await withStore(loadConfig(), migrate)
  console.log(ran.length > 0 ? `Ran ${ran.join(', ')}.` : 'The schema is up to date.')
  return 0
})
