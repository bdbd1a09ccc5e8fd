import type { MailServerProposal } from '../../contract/mail.ts'

/** Servers that a file may name before it is left alone. */
const maxServers = 20
/** Characters of one of them. */
const maxServerLength = 5000

/** The first IMAP server with TLS or STARTTLS that an autoconfig file names; `null`: none. */
export function readAutoconfig(
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
