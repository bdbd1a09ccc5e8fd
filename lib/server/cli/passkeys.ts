// `npm run passkeys`: lists the passkeys of the server that runs on this data folder. With `-- --remove-all` it removes
// them, for an owner whose devices are lost.

import { parseArgs } from 'node:util'
import { z } from 'zod'
import { Passkey } from '../../contract/auth.ts'
import { listOf } from '../../contract/list.ts'
import { loadConfig } from '../config.ts'
import { createCallServer, requireServer } from './call-server.ts'
import { runCommand } from './run-command.ts'

const usage = `The passkeys of the server that runs on this data folder.

  npm run passkeys                   lists them
  npm run passkeys -- --remove-all   removes them, for an owner whose devices are lost`

await runCommand({ usage, failure: 'Nothing was done.' }, async (args) => {
  const { values } = parseArgs({ args, options: { 'remove-all': { type: 'boolean', default: false } } })
  const call = createCallServer(requireServer(loadConfig()))
  if (values['remove-all']) {
    const { removed } = await call('DELETE', '/api/passkeys', z.object({ removed: z.int() }))
    console.log(`Passkeys removed: ${removed}. Browsers sign in without one again (npm run sign-in).`)
  } else {
    const { items } = await call('GET', '/api/passkeys', listOf(Passkey))
    console.log([`Passkeys: ${items.length}`, ...items.map(describe)].join('\n'))
  }
  return 0
})

function describe({ name, host, last_used_at }: Passkey): string {
  return `${name} (${host}), last used: ${last_used_at ?? 'never'}`
}
