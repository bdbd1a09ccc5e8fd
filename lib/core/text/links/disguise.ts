// Whether a link pretends to lead elsewhere than it does: by what it reads, or by an address that is made to be misread.
// Rules over shapes. Used by cards and, in the browser, by every text that is shown.

import { latinForm } from '../mixed-scripts.ts'
import { splitHidden } from '../quote-name.ts'
import { decodeTarget, hostOf } from './link-host.ts'

/** Characters of a label, and of an address, that are looked at. */
const maxLabel = 1000

const maxAddress = 4000

/** Where a link really leads, if it pretends otherwise; else `null`. `label`: what it reads, as Markdown or text. */
export function disguiseOf(label: string, target: string): string | null {
  const address = decodeTarget(target.slice(0, maxAddress))
  if (label === target) return misleadingHost(address)
  const read = readable(label.slice(0, maxLabel))
  if (/^mailto:/i.test(address)) return otherMailbox(read, address)
  if (/^(?:tel|sms):/i.test(address)) return otherNumber(label.slice(0, maxLabel), address)
  const host = hostOf(address)
  const said = [...hostsIn(read), ...mailboxesIn(read).map((mailbox) => mailbox.split('@')[1]!)]
  if (host !== null && said.some((one) => !isSameSite(one, host))) return host
  return misleadingHost(address)
}

function misleadingHost(address: string): string | null {
  const host = hostOf(address)
  if (host !== null) return !/^mailto:/i.test(address) && isMisleading(address, host) ? host : null
  // What is no address for what it is made of may be one elsewhere.
  const { authority } = partsOf(address)
  return lookAlikes.test(authority) ? authority.normalize('NFKC') : null
}

const dots = '·․‧∙•⋅。｡．ꞏ۔܁܂⸱⸳・･'

const slashes = '∕⁄⧸╱／⟋⫽'

const colons = '：∶ː꞉˸︰﹕'

const lookAlikes = new RegExp(`[${dots}${slashes}${colons}]`, 'u')

/** What a person reads: without what is unseen, look-alikes as what they are taken for, without signs that only decorate. */
const readable = (label: string): string =>
  latinForm(
    splitHidden(decodeTarget(label))
      .map((piece) => (typeof piece === 'string' ? piece : ''))
      .join('')
      .replace(/[\u2800\u00a0\u2000-\u200a\u202f\u205f\u3000]|\u200d|\ufe0e|\ufe0f/g, ' ')
      .replace(every(dots), '.')
      .replace(every(slashes), '/')
      .replace(every(colons), ':')
      .normalize('NFKC'),
  )
    .replace(
      /[\p{So}\p{Sk}\p{Sm}\p{Extended_Pictographic}"'“”„‘’«»‹›<>()[\]{}*`~|]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu,
      keepDigits,
    )
    .replace(/\s+/g, ' ')
    .trim()

/** Digits count as pictures, too. */
const keepDigits = (sign: string): string => (/[0-9]/.test(sign) ? sign : ' ')

function every(signs: string): RegExp {
  return new RegExp(`[${signs}]`, 'gu')
}

const domains = new Set(
  (
    'com org net edu gov mil int info biz name pro bank app dev io ai co me tv xyz online site shop store club top live ' +
    'cloud page blog news today email help support finance money pay secure login group world tech digital agency art ' +
    'eu de uk fr ch at it es nl be se no dk fi cz pt ie gr ru ua cn jp kr in br au nz ca us mx ar za il tr pl hu ro ' +
    'example test invalid'
  ).split(' '),
)

/** Endings that names of things have as well: in an address they say little. */
const names = new Set([
  'io',
  'co',
  'me',
  'ai',
  'pl',
  'page',
  'app',
  'dev',
  'name',
  'pro',
  'live',
  'news',
  'help',
])

const dotted = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})\.){1,8}(\p{L}{2,24}|xn--[a-z0-9-]{2,60})\.?$/iu

const isHost = (text: string): boolean => {
  const ending = dotted.exec(text)?.[1]?.toLowerCase()
  return ending !== undefined && (domains.has(ending) || ending.startsWith('xn--') || /^www\./i.test(text))
}

/** What may stand around the name of a server in a label that says no more than where it leads. */
const around =
  /^(?:(?:please|visit|open|see|go|sign|log|in|to|at|on|via|from|click|here|secure|official|site|website|link|bei|zu|auf|siehe|voir|sur|en|the|your|now|login|or)[:,.]? )+|[ :,.!?›»→-]+$/gi

/** The servers that a label names: in whole addresses anywhere, and by a name alone. */
function hostsIn(read: string): string[] {
  const addresses = (read.match(/(?:\bhttps?:\s?\/\/|\bwww\.)[^\s,]+/gi) ?? []).map((address) =>
    hostOf(/^www\./i.test(address) ? `https://${address}` : address.replace(/\s/, '')),
  )
  const bare = read.replace(around, '').replace(/^[ :,.›»→-]+/, '')
  const [, host = ''] = /^([^\s/?#:]+)(?::\d{1,5})?(?:[/?#]\S*)?$/.exec(bare) ?? []
  if (isHost(host)) addresses.push(hostOf(`https://${host}`))
  return addresses.filter((one) => one !== null)
}

const mailbox = /[^\s<>()[\],;:"@]{1,64}@[^\s<>()[\],;:"@/]{1,255}/gu

const mailboxesIn = (text: string): string[] =>
  /[/?#]\S*@/.test(text)
    ? []
    : (text.match(mailbox) ?? [])
        .map((one) => one.toLowerCase().replace(/[.!?]+$/, ''))
        .filter((one) => one.split('@')[1]!.includes('.'))

/** One is the other, or lies within it. */
function isSameSite(one: string, other: string): boolean {
  const [a, b] = [bare(one), bare(other)]
  return a === b || (isWithin(a, b) && b.includes('.')) || (isWithin(b, a) && a.includes('.'))
}

const bare = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^www\./, '')
    .replace(/\.$/, '')

const isWithin = (inner: string, outer: string): boolean => inner.endsWith(`.${outer}`)

function otherMailbox(read: string, address: string): string | null {
  const [path = '', query = ''] = address.slice('mailto:'.length).split('?', 2)
  const more = new URLSearchParams(query)
  const lists = [decoded(path), ...['to', 'cc', 'bcc'].flatMap((name) => more.getAll(name))]
  const to = lists.flatMap((list) => list.toLowerCase().match(mailbox) ?? [])
  const said = mailboxesIn(read)
  const leads = to.slice(0, 3).join(', ') || null
  if (said.length > 0)
    return to.every((one) => said.includes(one)) && said.some((one) => to.includes(one)) ? null : leads
  const hosts = hostsIn(read)
  return hosts.length === 0 || to.every((one) => hosts.some((host) => isSameSite(host, one.split('@')[1]!)))
    ? null
    : leads
}

function otherNumber(read: string, address: string): string | null {
  const said = digitsOf(read)
  const number = digitsOf(decoded(address.replace(/[?;].*$/, '')))
  if (said.length < 6 || /\p{L}{4}/u.test(read)) return null
  return said.endsWith(number) || number.endsWith(said) ? null : number
}

/** Without what is dialled in front. */
const digitsOf = (text: string): string => text.replace(/\(0\)|\D/g, '').replace(/^0+/, '')

/** Whether an address names another server where a person looks for one. */
function isMisleading(address: string, host: string): boolean {
  const { authority, path } = partsOf(address)
  const name = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d{0,5}$/, '')
  if (authority.includes('\\') || !isPlainHost(decoded(name))) return true
  if (authority.includes('@') && namesHost(decoded(authority.slice(0, authority.lastIndexOf('@')))))
    return true
  return (
    holdsEnding(host) ||
    (!quoting.has(bare(host)) &&
      decoded(path)
        .split(/[\\/]+/)
        .some((part, at) => isForeign(part, at, host)))
  )
}

/** As it is written: what stands before the path, and the path. */
function partsOf(address: string): { authority: string; path: string } {
  const [, authority = '', path = ''] =
    /^(?:[a-z][a-z0-9+.-]*:)?[\\/]{2,}([^/?#]*)([^?#]*)/i.exec(address) ?? []
  return { authority, path }
}

/** No dot, slash or picture that looks like something else. */
export const isPlainHost = (host: string): boolean =>
  /^(?:[\p{L}\p{M}\p{N}._-]+|\[[\da-f:.]+\])$/iu.test(host)

const namesHost = (text: string): boolean =>
  text.split(/[^\p{L}\p{N}.-]+/u).some((part) => isHost(part) || /^www\./i.test(part))

/** “bank.com.evil.example”: an ending in the middle, with more than a country behind it. */
const holdsEnding = (host: string): boolean =>
  /[^.]\.(?:com|org|net|edu|gov|bank)(?:\.[^.]+){2,8}$/.test(bare(host))

/** Whether a part of a path, the first of which is empty, is the name of another server. */
function isForeign(part: string, at: number, host: string): boolean {
  if (/^https?:$/i.test(part)) return true
  const name = part.replace(/^https?:/i, '')
  if (!isHost(name) || isSameSite(name, host)) return false
  const isTelling = !names.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase())
  return /^www\./i.test(name) || (isTelling && (at === 1 || name.split('.').length > 2))
}

/** Servers whose addresses name what they show. */
const quoting: ReadonlySet<string> = new Set(
  'web.archive.org archive.org archive.ph archive.is archive.today pkg.go.dev sourcegraph.com translate.google.com'.split(
    ' ',
  ),
)

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
