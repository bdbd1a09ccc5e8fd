// Tokens that an owner wrote into the address or the arguments of a source. The settings are stored and shown with each
// as `(hidden)`; the tokens are stored apart, as secrets are, in their order.

import { z } from 'zod'
import { secretReference } from '../../auth/secrets/resolve-secret.ts'
import type { SourceSecrets } from '../../auth/secrets/source-secrets.ts'
import type { Source } from '../../contract/sources.ts'
import { invalid } from '../../core/errors.ts'

export const hidden = '(hidden)'

type Places = Pick<Source, 'url' | 'args'>

/** In the order in which they are in the address and the arguments. */
type Tokens = readonly string[]

/**
 * The settings of a source as they were written, with its tokens. `null`: they cannot be read, or are for settings that
 * were stored before or after these.
 */
export async function findWhole(
  secrets: Pick<SourceSecrets, 'read'>,
  { id, url, args }: Places & { id: string },
): Promise<(Places & { tokens: Tokens }) | null> {
  const text = await secrets.read(id, 'settings')
  const stored = text === null ? { url, args, tokens: [] } : Stored.parse(JSON.parse(text))
  if (stored.url !== url || JSON.stringify(stored.args) !== JSON.stringify(args)) return null
  const whole = showTokens({ url, args }, stored.tokens)
  return whole && { ...whole, tokens: stored.tokens }
}

/** Beside the tokens the settings that they are for: a token is for the address that it was given for. */
const Stored = z.object({
  url: z.string().nullable(),
  args: z.array(z.string()),
  tokens: z.array(z.string()),
})

/** As `findWhole` reads it; `null`: there are no tokens. */
export const toStored = ({ url, args, tokens }: Places & { tokens: Tokens }): string | null =>
  tokens.length === 0 ? null : JSON.stringify({ url, args, tokens })

export const looksSecret = (name: string): boolean =>
  /auth(?!ors?$)|token|key|secret|pass(?:$|[^a-z]|w|code|phrase)|pwd|cookie|credential|bearer|signature|jwt|(?:^|[^a-z])(?:pat|sig)(?:$|[^a-z])/i.test(
    name,
  )

/** The settings with tokens hidden, and the tokens. What is hidden already stays so. */
export function hideTokens({ url, args }: Places): Places & { tokens: string[] } {
  const tokens: string[] = []
  const hide = (token: string) => {
    if (token === '' || token === hidden || secretReference.test(token)) return token
    tokens.push(token)
    return hidden
  }
  return { url: url === null ? null : hideInUrl(url, hide), args: hideInArgs(args, hide), tokens }
}

/** The settings as they were written; `null`: there are fewer tokens than hidden places. */
export function showTokens({ url, args }: Places, tokens: Tokens): Places | null {
  const left = [...tokens]
  const show = (text: string) => text.replaceAll(hidden, () => left.shift() ?? '')
  const places = [url ?? '', ...args].join('\n').split(hidden).length - 1
  if (places > tokens.length) return null
  return { url: url === null ? null : show(url), args: args.map(show) }
}

/**
 * The places that an owner sent back, with each that was shown hidden as it is stored. Throws a 400 `AppError` for one
 * that was not.
 */
export function restoreTokens(given: Places, stored: Places): Places {
  const shown = hideTokens(stored)
  const unused = shown.args.map((text, n) => ({ text, value: stored.args[n]! }))
  const restore = (text: string) => {
    if (!text.includes(hidden)) return text
    const at = unused.findIndex((one) => one.text === text)
    if (at < 0) throw invalid('args: a hidden value has no stored value. Send the whole argument.')
    return unused.splice(at, 1)[0]!.value
  }
  const args = given.args.map(restore)
  if (!given.url?.includes(hidden)) return { url: given.url, args }
  if (given.url !== shown.url)
    throw invalid('url: a hidden value has no stored value. Send the whole address.')
  return { url: stored.url, args }
}

type Hide = (token: string) => string

/** Written as a token is, not as a word: of some length, with digits, and letters of both cases or of hexadecimal. */
const looksRandom = (text: string): boolean =>
  /^[A-Za-z0-9_~.-]{24,}$/.test(text) &&
  /\d/.test(text) &&
  (/^[0-9a-f-]+$/i.test(text) || (/[a-z]/.test(text) && /[A-Z]/.test(text)))

const knownToken =
  /^(?:sk|pk|rk|ghp|gho|ghs|ghu|github_pat|glpat|xox[abeprs]|npm|eyJ|AIza|AKIA|hf|ntn|lin_api)[_\-A-Za-z0-9.]{12,}$/

const isToken = (text: string): boolean => looksRandom(text) || knownToken.test(text)

/** A scheme, what signs in, the rest up to the query, and what follows. */
const address = /^([a-z][a-z0-9+.-]*:\/\/)(?:([^/?#@]*)@)?([^?#]*)(.*)$/is

function hideInUrl(url: string, hide: Hide): string {
  const [, scheme, login, path = '', rest = ''] = address.exec(url) ?? []
  if (scheme === undefined) return url
  const [, user = '', password] = /^([^:]*)(?::(.*))?$/s.exec(login ?? '') ?? []
  const signIn =
    login === undefined
      ? ''
      : password === undefined
        ? `${isToken(user) ? hide(user) : user}@`
        : `${user}:${hide(password)}@`
  const parts = path.split('/').map((part, n) => (n > 0 && isToken(part) ? hide(part) : part))
  const pairs = rest.replace(/([?&#;])([^=&#;]*)=([^&#;]*)/g, (_, mark, name, value) => {
    return `${mark}${name}=${looksSecret(name) || isToken(value) ? hide(value) : hideInUrl(value, hide)}`
  })
  return `${scheme}${signIn}${parts.join('/')}${pairs}`
}

function hideInArgs(args: readonly string[], hide: Hide): string[] {
  return args.map((arg, n) => {
    const named = /^(--?[\w.-]+)$/.exec(args[n - 1] ?? '')?.[1]
    if (named && looksSecret(named) && !arg.startsWith('-')) return hideValue(arg, hide)
    // As `--token=…`, `TOKEN=…` and `Authorization: Bearer …`.
    const [, name = '', mark = '', value = ''] = /^(-{0,2}[\w.-]+)(=|:\s*)(?!\/\/)(.*)$/s.exec(arg) ?? []
    if (name !== '' && looksSecret(name)) return `${name}${mark}${hideValue(value, hide)}`
    return name !== '' && mark === '=' ? `${name}=${hideInText(value, hide)}` : hideInText(arg, hide)
  })
}

/** A token, an address, or JSON. */
function hideInText(text: string, hide: Hide): string {
  if (isToken(text)) return hide(text)
  if (!/^\s*[{[]/.test(text)) return hideInUrl(text, hide)
  return text.replace(/("([^"\\]*)"\s*:\s*")((?:[^"\\]|\\.)*)"/gs, (_, before, name, value) => {
    return `${before}${looksSecret(name) ? hideValue(value, hide) : hideInText(value, hide)}"`
  })
}

/** Whether a text has tokens, as the arguments of a source have. */
export const hasToken = (text: string): boolean => hideTokens({ url: null, args: [text] }).tokens.length > 0

/** Behind the scheme of a header. */
function hideValue(value: string, hide: Hide): string {
  const [, scheme = '', token = value] = /^((?:Bearer|Basic|Token)\s+)(.*)$/is.exec(value) ?? []
  return `${scheme}${hide(token)}`
}
