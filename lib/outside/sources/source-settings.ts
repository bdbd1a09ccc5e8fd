// What an owner may write about a source, and what of it is shown again.

import { z } from 'zod'
import { secretReference } from '../../auth/secrets/resolve-secret.ts'
import type { Source } from '../../contract/sources.ts'
import { invalid } from '../../core/errors.ts'
import { cleanLine } from '../../core/text/clean.ts'
import type { SourceRow } from '../../db/repos/sources.ts'
import { hasToken, hidden, hideTokens, looksSecret, restoreTokens } from './tokens-in-settings.ts'

const value = z.string().max(8000)
const values = (name: z.ZodString) =>
  z.record(name, value).refine((all) => Object.keys(all).length <= 50, 'at most 50')

const fields = {
  name: z.string().overwrite(cleanLine).min(1).max(80),
  command: z.string().min(1).max(1000).describe('The program; never a shell'),
  args: z.array(value).max(100),
  env: values(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/)),
  url: z.url({ protocol: /^https?$/ }).max(2000),
  headers: values(z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_|~-]{1,100}$/)),
  oauth_client_id: z
    .string()
    .regex(/^[\x20-\x7e]{1,500}$/)
    .nullable()
    .describe('Where the authorization server does not let Void register itself'),
  oauth_client_secret: value.min(1).nullable().describe('May be secret:NAME'),
  network: z.boolean().describe('Whether the program reaches other machines; never this one'),
  unconfined: z
    .boolean()
    .describe('Runs the program without a sandbox: with all that the server’s account can do'),
  enabled: z.boolean(),
}

export const NewSource = z
  .strictObject({
    name: fields.name,
    transport: z.enum(['stdio', 'http']),
    command: fields.command.optional(),
    args: fields.args.optional(),
    env: fields.env.optional(),
    url: fields.url.optional(),
    headers: fields.headers.optional(),
    oauth_client_id: fields.oauth_client_id.optional(),
    oauth_client_secret: fields.oauth_client_secret.optional(),
    network: fields.network.optional(),
    unconfined: fields.unconfined.optional(),
    enabled: fields.enabled.optional(),
  })
  .describe('Values of env and headers may be secret:NAME, or Bearer secret:NAME')
export type NewSource = z.infer<typeof NewSource>

export const SourceChange = z.strictObject(fields).partial()
export type SourceChange = z.infer<typeof SourceChange>

export type SourceSettings = Pick<
  Source,
  | 'name'
  | 'transport'
  | 'command'
  | 'args'
  | 'env'
  | 'url'
  | 'headers'
  | 'oauth_client_id'
  | 'oauth_client_secret'
  | 'network'
  | 'unconfined'
  | 'enabled'
>

/** Throws a 400 `AppError` for fields of the other transport. */
export function toSettings(given: NewSource): SourceSettings {
  const { name, transport, command, args, env, url, headers, enabled = true } = given
  const { oauth_client_id = null, oauth_client_secret = null, network = false, unconfined = false } = given
  const settings = { name, transport, enabled, command: command ?? null, url: url ?? null }
  restoreTokens({ url: settings.url, args: args ?? [] }, { url: null, args: [] })
  const values = { network, unconfined, args: args ?? [], env: env ?? {}, headers: headers ?? {} }
  return checked({ ...settings, ...values, oauth_client_id, oauth_client_secret })
}

/** A value that is sent back as it was shown hidden is left as it is. */
export function changeSettings(stored: SourceSettings, change: SourceChange): SourceSettings {
  const given = Object.fromEntries(Object.entries(change).filter(([, one]) => one !== undefined))
  return checked({
    ...stored,
    ...given,
    ...restoreTokens({ url: change.url ?? stored.url, args: change.args ?? stored.args }, stored),
    env: change.env ? restoreHidden(change.env, stored.env) : stored.env,
    headers: change.headers ? restoreHidden(change.headers, stored.headers) : stored.headers,
    ...(change.oauth_client_secret === hidden ? { oauth_client_secret: stored.oauth_client_secret } : {}),
  })
}

function restoreHidden(given: Record<string, string>, stored: Record<string, string>) {
  return Object.fromEntries(
    Object.entries(given).map(([name, text]) => {
      if (text !== hidden) return [name, text]
      // Else it would be sent as the value.
      if (stored[name] === undefined) throw invalid(`${name}: has no stored value. Send a value.`)
      return [name, stored[name]]
    }),
  )
}

function checked(settings: SourceSettings): SourceSettings {
  const { transport, command, url, args, env, headers } = settings
  const isStdio = transport === 'stdio'
  if (isStdio && command === null) throw invalid('command: is required for stdio sources.')
  if (!isStdio && url === null) throw invalid('url: is required for http sources.')
  if (isStdio && (url !== null || Object.keys(headers).length > 0)) {
    throw invalid('url, headers: are only for http sources.')
  }
  const { oauth_client_id: clientId, oauth_client_secret: clientSecret } = settings
  if (isStdio && (clientId !== null || clientSecret !== null)) {
    throw invalid('oauth_client_id, oauth_client_secret: are only for http sources.')
  }
  if (clientId === null && clientSecret !== null)
    throw invalid('oauth_client_secret: requires oauth_client_id.')
  if (!isStdio && (command !== null || args.length > 0 || Object.keys(env).length > 0)) {
    throw invalid('command, args, env: are only for stdio sources.')
  }
  if (!isStdio && (settings.network || settings.unconfined)) {
    throw invalid('network, unconfined: are only for stdio sources.')
  }
  if (JSON.stringify([args, env, headers]).length > 60_000) throw invalid('args, env, headers: are too long.')
  return settings
}

/** The source as it is shown: a value that looks like a secret and is no reference to one is left out. */
export function toSource(row: SourceRow, now: Date): Source {
  const { signed_in_at: at, sign_in_issuer: issuer, sign_in_ends_at: endsAt, ...source } = row
  const hide = (all: Record<string, string>) =>
    Object.fromEntries(Object.entries(all).map(([name, text]) => [name, isShown(name, text) ? text : hidden]))
  const secret = source.oauth_client_secret
  const { tokens: _, ...shown } = hideTokens(source)
  const isOver = endsAt !== null && new Date(endsAt) <= now
  return {
    ...source,
    ...shown,
    env: hide(source.env),
    headers: hide(source.headers),
    oauth_client_secret: secret === null || secretReference.test(secret) ? secret : hidden,
    status: isOver ? 'sign_in' : source.status,
    signed_in: at !== null && issuer !== null ? { at, issuer } : null,
  }
}

const isShown = (name: string, text: string): boolean =>
  secretReference.test(splitScheme(text).rest) || !(looksSecret(name) || hasToken(text))

/** `Bearer secret:NAME` apart. */
export function splitScheme(text: string): { scheme: string; rest: string } {
  const [, scheme = '', rest = text] = /^((?:Bearer|Basic|Token) )(.*)$/i.exec(text) ?? []
  return { scheme, rest }
}
