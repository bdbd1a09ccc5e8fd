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
  const address = wrappedAddress(decodeTarget(target.slice(0, maxAddress)))
  if (label === target) return misleadingHost(address)
  const read = readable(label.slice(0, maxLabel))
  if (/^mailto:/i.test(address)) return otherMailbox(read, address)
  if (/^(?:tel|sms):/i.test(address)) return otherNumber(read, address)
  const host = hostOf(address)
  const said = [...hostsIn(read), ...mailboxesIn(read).map((mailbox) => mailbox.split('@')[1]!)]
  if (host !== null && said.some((one) => !isSameSite(one, host) && !isAbout(address, host, one))) return host
  return misleadingHost(address)
}

/** Whether an address names what it shows, and that is what was said: “bank.com” as a page of an encyclopedia. */
const isAbout = (address: string, host: string, said: string): boolean =>
  isQuoting(host) && decoded(partsOf(address).path).toLowerCase().split('/').includes(said)

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

/** A label as a person reads it: without hidden and decorative characters, look-alikes as what they are taken for. */
const readable = (label: string): string =>
  latinForm(
    splitHidden(decodeTarget(label.replace(pictures, '$1')))
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

/** As Markdown, for their words; and tags. */
const pictures = /!\[([^\]]*)\]\([^)]*\)|<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/gi

/** Unicode counts digits among pictographs. */
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

/** Endings that product and file names have as well: in a path they are no sign of a server. */
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

/** Words around the name of a server in a label that says no more than where it leads. */
const fillers = new Set(
  (
    'a at by click confirm contact continue enter for from go here in is log login logon my now of official on online ' +
    'open or our page please portal s safe secure see sign signin sign-in site start statement support team the this to ' +
    'today update verified verify via visit web website welcome with your account accounts access banking customer ' +
    'home homepage link service services bei zu auf siehe hier zur zum ihr konto voir sur en chez votre compte'
  ).split(' '),
)

/** The servers that a label names: in whole addresses anywhere, and by a name with nothing but fillers around it. */
function hostsIn(read: string): string[] {
  const addresses = (read.match(/(?:\bhttps?:\s?\/\/|\bwww\.)[^\s,]+/gi) ?? []).map((address) =>
    hostOf(/^www\./i.test(address) ? `https://${address}` : address.replace(/\s/, '')),
  )
  const words = read
    .replace(/^([\p{L}\p{N}-]{2,63}) ?\. ?(com|org|net|gov|edu)$/iu, '$1.$2')
    .split(' ')
    .map((word) => word.replace(/^[:,;.›»→–—-]+|[:,;.!?›»→–—-]+$/g, ''))
    .filter((word) => word !== '' && !fillers.has(word.toLowerCase()))
  const names = words.map((word) => /^([^/?#:]+)(?::\d{1,5})?(?:[/?#].*)?$/.exec(word)?.[1] ?? '')
  if (names.every(isHost)) addresses.push(...names.map((name) => hostOf(`https://${name}`)))
  return addresses.filter((one) => one !== null)
}

const mailbox = /[^\s<>()[\],;:"@]{1,64}@[^\s<>()[\],;:"@/]{1,255}/gu

const mailboxesIn = (text: string): string[] =>
  /[/?#]\S*@/.test(text)
    ? []
    : (text.match(mailbox) ?? [])
        .map((one) => one.toLowerCase().replace(/[.!?]+$/, ''))
        .filter((one) => dotted.test(one.split('@')[1]!))

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
  const more = [...new URLSearchParams(query)].filter(([name]) => /^(?:to|cc|bcc)$/i.test(name))
  const lists = [decoded(path), ...more.map(([, list]) => list)]
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
  const number = digitsOf(decoded(address.replace(/[?;,].*$/, '')))
  if (hostsIn(read).length > 0 || mailboxesIn(read).length > 0) return number
  const said = digitsOf(read.replace(/ (?:ext|x)\b.*$/i, ''))
  if (said.length < 6 || /\p{L}{4}/u.test(read)) return null
  return said.endsWith(number) || number.endsWith(said) ? null : number
}

/** Without the zeros in front, nor the one in brackets that is left out from abroad. */
const digitsOf = (text: string): string => text.replace(/(?<=\d) 0 (?=\d)|\D/g, '').replace(/^0+/, '')

/** Whether an address names another server where a person looks for one. */
function isMisleading(address: string, host: string): boolean {
  const { authority, path } = partsOf(address)
  const name = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d{0,5}$/, '')
  if (authority.includes('\\') || !isPlainHost(decoded(name))) return true
  if (authority.includes('@') && isForeignUser(decoded(authority.slice(0, authority.lastIndexOf('@')))))
    return true
  if (isQuoting(host)) return false
  const parts = decoded(path).split(/[\\/]+/)
  return holdsEnding(host) || parts.some((_, at) => isForeign(parts, at, host))
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

/** Whether what stands before `@` may be taken for where the address leads. */
const isForeignUser = (user: string): boolean =>
  !/^(?:git|user|username|anonymous|oauth2|token)(?::|$)/i.test(user) ||
  user.split(/[^\p{L}\p{N}.-]+/u).some((part) => isHost(part))

/** “bank.com.evil.example”, “bank.com-login.example”: an ending in the middle, with more than a country behind it. */
const holdsEnding = (host: string): boolean =>
  /[^.]\.(?:com|org|net|edu|gov|bank)(?:(?:\.[^.]+){2,8}|-[^.]+(?:\.[^.]+){1,8})$/.test(bare(host))

/** Whether a part of a path, the first of which is empty, is the name of another server. */
function isForeign(parts: readonly string[], at: number, host: string): boolean {
  const part = parts[at]!.replace(/^[;,!~+=_-]+/, '')
  if (/^https?:$/i.test(part)) return true
  const name = part.replace(/^https?:/i, '')
  if (!isHost(name) || isSameSite(name, host) || reversed.test(name)) return false
  if (/^www\./i.test(name)) return true
  if (names.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase())) return false
  if (at === 1) return true
  // At the end of a path it may be the name of a page about it, and before that the place of a repository.
  const isLast = parts.slice(at + 1).every((rest) => rest === '')
  return name.split('.').length > 2 || !(isLast || quoting.includes(name.toLowerCase()))
}

/** The id of an app or a package. */
const reversed = /^(?:com|org|net|io|dev|app|edu|gov)\./i

/** Servers whose addresses name what they show. */
const quoting: readonly string[] = (
  'web.archive.org archive.org archive.ph archive.is archive.today pkg.go.dev sourcegraph.com translate.google.com ' +
  'www.google.com cdn.ampproject.org github.com gitlab.com codeberg.org bitbucket.org npmjs.com wikipedia.org ' +
  'linkedin.com facebook.com instagram.com twitter.com x.com t.me trustpilot.com similarweb.com builtwith.com'
).split(' ')

const isQuoting = (host: string): boolean =>
  quoting.some((one) => bare(host) === bare(one) || isWithin(host, one))

/** Where services that check or count clicks say that they pass them on to: their host, and the address in theirs. */
const wrappers: readonly RegExp[] = [
  /^https:\/\/[a-z0-9.-]+\.safelinks\.protection\.outlook\.com\/[^?]*\?(?:[^#]*&)?url=(https?[^&#]+)/i,
  /^https:\/\/(?:www\.google\.(?:com|(?:com?\.)?[a-z]{2})|l\.facebook\.com)\/(?:url|l\.php)\?(?:[^#]*&)?(?:q|u|url)=(https?[^&#]+)/i,
  /^https:\/\/urldefense\.com\/v3\/__(https?:.+?)__;/i,
  /^https:\/\/[a-z0-9.-]+\.awstrack\.me\/L0\/(https?[^/]+)\//i,
]

/** The address that a wrapper leads to; the address itself where there is none. */
function wrappedAddress(address: string): string {
  const wrapped = wrappers.map((wrapper) => wrapper.exec(address)?.[1]).find((found) => found !== undefined)
  return wrapped === undefined ? address : decoded(wrapped)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
