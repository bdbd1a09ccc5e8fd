import type { SrvRecord } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { domainToASCII } from 'node:url'
import type { MailServerProposal } from '../../contract/mail.ts'
import { isPublicAddress } from '../../core/net/addresses.ts'
import { createSafeFetch, type Resolve, resolveByDns, type SafeFetch } from '../../core/net/safe-fetch.ts'

// Where the mailbox of an address is: as its domain says by DNS (RFC 6186), or in the file that mail programs look for
// (Mozilla's autoconfig), or else by the usual names. What a domain says is a proposal that the owner sees and may change;
// a host that is not of the public internet is never proposed, nor asked.

export type DiscoveryNetwork = {
  /** Services that a name has. Rejects when there are none, or nobody answers. */
  resolveSrv: (name: string) => Promise<Pick<SrvRecord, 'name' | 'port' | 'priority' | 'weight'>[]>
  /** All addresses of a host. */
  resolve: Resolve
  /** Asks public addresses only, within bounds. */
  fetch: SafeFetch
}

export type DiscoverMailServer = (address: string) => Promise<MailServerProposal>

type Server = Pick<MailServerProposal, 'host' | 'port' | 'security' | 'username'>

/** For all of it: what has not answered by then is left out. */
const maxMs = 8000

const maxLength = 100_000

/** Never rejects: an address without any answer gets the usual guess. */
export function createDiscoverMailServer(network: DiscoveryNetwork, ms: number = maxMs): DiscoverMailServer {
  return async (address) => {
    const domain = domainToASCII(address.slice(address.lastIndexOf('@') + 1).toLowerCase())
    const guess = guessFor(domain, address)
    if (!isName(domain) || reserved.test(domain)) return guess
    const { signal, stop } = timeLimit(ms)
    try {
      const asked = [
        async () =>
          await findService(network, `_imaps._tcp.${domain}`, { security: 'tls', username: address }),
        async () =>
          await findAutoconfig(network, `https://autoconfig.${domain}/mail/config-v1.1.xml`, address),
        async () =>
          await findAutoconfig(
            network,
            `https://${domain}/.well-known/autoconfig/mail/config-v1.1.xml`,
            address,
          ),
        async () =>
          await findService(network, `_imap._tcp.${domain}`, { security: 'starttls', username: address }),
      ]
      const ways = asked.map((ask) => Promise.race([ask().catch(() => null), signal]))
      for (const [index, way] of ways.entries()) {
        const server = await way
        if (server) return { ...server, found: index === 0 || index === 3 ? 'dns' : 'autoconfig' }
      }
      const named = await Promise.race([firstPublic(network, usualHosts(domain)), signal])
      return named ? { ...guess, host: named } : guess
    } finally {
      stop()
    }
  }
}

/** Resolves to null when the time is over. */
function timeLimit(ms: number): { signal: Promise<null>; stop: () => void } {
  const { promise, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), ms)
  return { signal: promise, stop: () => clearTimeout(timer) }
}

async function findService(
  network: DiscoveryNetwork,
  name: string,
  rest: Pick<Server, 'security' | 'username'>,
): Promise<Server | null> {
  const records = await network.resolveSrv(name)
  const [best] = records.toSorted((a, b) => a.priority - b.priority || b.weight - a.weight)
  // RFC 6186: a lone dot says that there is no such service.
  const host = best?.name.replace(/\.$/, '').toLowerCase() ?? ''
  return best && (await isPublic(network, host)) ? { host, port: best.port, ...rest } : null
}

async function findAutoconfig(
  network: DiscoveryNetwork,
  url: string,
  address: string,
): Promise<Server | null> {
  const response = await network.fetch(url)
  if (response.status !== 200) return null
  const server = readAutoconfig((await response.text()).slice(0, maxLength), address)
  return server && (await isPublic(network, server.host)) ? server : null
}

async function firstPublic(network: DiscoveryNetwork, hosts: readonly string[]): Promise<string | null> {
  for (const host of hosts) if (await isPublic(network, host).catch(() => false)) return host
  return null
}

/** One private address among them is enough: a name that points both ways is made for that. */
async function isPublic({ resolve }: DiscoveryNetwork, host: string): Promise<boolean> {
  if (!isName(host)) return false
  const addresses = await resolve(host)
  return addresses.length > 0 && addresses.every(isPublicAddress)
}

const usualHosts = (domain: string) => [`imap.${domain}`, `mail.${domain}`, domain]

const guessFor = (domain: string, username: string): MailServerProposal => ({
  host: isName(domain) ? `imap.${domain}` : '',
  port: 993,
  security: 'tls',
  username,
  found: 'guess',
})

/** RFC 6761 and its like: names that nobody has in the DNS. */
const reserved = /\.(?:example|test|invalid|localhost|local|internal|onion|home\.arpa)$/

/** A name with a dot in it that is no number. */
const isName = (host: string): boolean =>
  host.length <= 253 && /^(?:[a-z0-9_](?:[a-z0-9_-]{0,62})\.)+[a-z][a-z0-9-]{0,62}$/.test(host)

export const internet: DiscoveryNetwork = {
  resolveSrv: (name) => new Resolver({ timeout: 3000, tries: 1 }).resolveSrv(name),
  resolve: resolveByDns,
  fetch: createSafeFetch(),
}

/** Servers that a file may name before it is left alone. */
const maxServers = 20

/** Characters of one of them. */
const maxServerLength = 5000

/** The first IMAP server with TLS or STARTTLS that an autoconfig file names; `null`: none. */
function readAutoconfig(
  xml: string,
  address: string,
): Pick<MailServerProposal, 'host' | 'port' | 'security' | 'username'> | null {
  for (const part of xml.split(/<incomingServer\b/, maxServers + 1).slice(1)) {
    const server = part.slice(0, maxServerLength).split('</incomingServer>', 1)[0]!
    const head = server.split('>', 1)[0]!
    const security = securities[textOf(server, 'socketType').toUpperCase()]
    const port = Number(textOf(server, 'port'))
    const host = textOf(server, 'hostname').toLowerCase()
    const isUsable =
      /\btype=["']imap["']/.test(head) && host !== '' && Number.isInteger(port) && port > 0 && port < 65_536
    if (isUsable && security) return { host, port, security, username: usernameOf(server, address) }
  }
  return null
}

const securities: Record<string, MailServerProposal['security']> = { SSL: 'tls', STARTTLS: 'starttls' }

/** Of the first element of that name; empty: there is none. */
function textOf(xml: string, name: string): string {
  const start = xml.indexOf(`<${name}>`)
  const end = xml.indexOf(`</${name}>`, start)
  return start < 0 || end < 0 ? '' : xml.slice(start + name.length + 2, end).trim()
}

/** As the file has it, where that is one of the usual; the address else. */
const usernameOf = (server: string, address: string): string =>
  textOf(server, 'username') === '%EMAILLOCALPART%' ? address.slice(0, address.lastIndexOf('@')) : address
