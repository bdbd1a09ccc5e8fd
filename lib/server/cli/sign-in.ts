// `npm run sign-in`: prints a link that signs one browser in, from the server that runs on this data folder.

import { SignInCode } from '../../contract/auth.ts'
import { AppError } from '../../core/errors.ts'
import { type Config, ConfigError, loadConfig } from '../config.ts'
import { createCallServer, requireServer } from './call-server.ts'

try {
  console.log(`Sign in: ${await createLink(loadConfig())}\nThe link works once, within ten minutes.`)
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof AppError)) throw error
  console.error(`No sign-in link could be made. ${error.message}`)
  process.exitCode = 1
}

async function createLink(config: Config): Promise<string> {
  const call = createCallServer(requireServer(config))
  const { url } = await call('POST', '/api/session/codes', SignInCode)
  return url
}
