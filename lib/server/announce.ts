// What a server says when it listens: where, how to sign in, which model answers.

import { existsSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import type { Authentication } from '../auth/authenticate.ts'
import { version } from '../core/version.ts'
import { type Config, settingsFor } from './config.ts'
import type { Console } from './console.ts'

type Announcement = {
  config: Config
  console: Console
  url: string
  authentication: Authentication
  model: { mode: string; name: string; problem?: string }
  byNpm: boolean
}

/** Printed last: a supervisor may stop the server as soon as it sees this. */
export async function announce({
  config,
  console,
  url,
  authentication,
  model,
  byNpm,
}: Announcement): Promise<void> {
  const companion =
    model.mode === 'offline'
      ? 'The companion is offline: it searches, quotes and drafts simple changes. Set ANTHROPIC_API_KEY to connect a model.'
      : model.problem
        ? `The companion cannot answer with ${model.name}. ${model.problem}`
        : `The companion answers with ${model.name}.`
  if (!isLoopback(config.host)) console.warn(openToNetwork(config.host))
  const page = `${config.publicUrl ?? url}/sign-in`
  // An owner who set the token knows it; one whose token was made here needs the link.
  const link = config.ownerToken ? page : `${page}?code=${(await authentication.createSignInCode()).code}`
  const again = byNpm ? 'npm run sign-in' : signInCommand()
  const note = config.ownerToken ? '' : `\nThe link works once, within ten minutes. For a new one: ${again}`
  console.info(`Void ${version} is listening on ${url}\nSign in: ${link}${note}\n${companion}`, {
    version,
    url,
    sign_in: link,
    ...(config.ownerToken ? {} : { sign_in_again: again }),
    model: model.name,
  })
}

const isLoopback = (host: string) => /^(localhost|127\.[\d.]+|::1)$/i.test(host)

const openToNetwork = (host: string) =>
  `Warning: HOST=${host} is open to the network, in plain HTTP: who can reach this port can read along. Put a proxy with TLS in front, or publish the port on the loopback alone (docs/deploy.md).`

/**
 * The command that prints another sign-in link for this server, as an administrator of the machine types it: in the
 * container, or as the account that the server runs as.
 */
function signInCommand(): string {
  const [node = '', launcher = ''] = process.argv
  const script = join(dirname(launcher), 'lib/server/cli/sign-in.ts')
  if (isContainer()) return `docker exec ${hostname()} node ${script}`
  const words = [...settingsFor('env'), node, script]
  return [...asAccount(), ...words].map(quote).join(' ')
}

/** With the name that Docker gives one, which is its id. */
const isContainer = () => existsSync('/.dockerenv') && /^[0-9a-f]{12}$/.test(hostname())

/** An account of a container may have no name. */
function asAccount(): string[] {
  try {
    return ['runuser', '-u', userInfo().username, '--']
  } catch {
    return []
  }
}

const quote = (word: string) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
