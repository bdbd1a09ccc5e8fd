// `npm run sign-in`: prints a link that signs one browser in, from the server that runs on this data folder.

import { SignInCode } from '../../contract/auth.ts'
import { type Config, loadConfig } from '../config.ts'
import { createCallServer, requireServer } from './call-server.ts'
import { refuseArguments, runCommand } from './run-command.ts'

const usage = `Prints a link that signs one browser in, once, within ten minutes. The server has to run.

  npm run sign-in

DATA_DIR is the data folder of that server; ENV_FILE may name the file with its settings.`

await runCommand({ usage, failure: 'No sign-in link could be made.' }, async (args) => {
  refuseArguments(args)
  console.log(`Sign in: ${await createLink(loadConfig())}\nThe link works once, within ten minutes.`)
  return 0
})

async function createLink(config: Config): Promise<string> {
  const call = createCallServer(requireServer(config))
  const { url } = await call('POST', '/api/session/codes', SignInCode)
  return url
}
