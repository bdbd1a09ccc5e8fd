import type { MailSecurity, MailServerProposal } from '../../../lib/contract/mail.ts'
import { el } from '../../ui/dom.ts'

type Fields = {
  address: HTMLInputElement
  host: HTMLInputElement
  port: HTMLInputElement
  security: HTMLSelectElement
  username: HTMLInputElement
}

type ServerLookup = {
  /** Says what became of it. */
  note: HTMLElement
  /** While the address is written. */
  guess: () => void
  /** Once it is written. */
  lookUp: () => Promise<void>
}

const foundBy: Record<MailServerProposal['found'], string> = {
  dns: 'Found in the DNS records of the domain.',
  autoconfig: 'Found in the domain’s settings for mail programs.',
  guess: 'Guessed from the address. Check it with your provider.',
}

/** Fills in the server of an address, as long as nobody has written another one. */
export function createServerLookup(
  { address, host, port, security, username }: Fields,
  ask: ((address: string) => Promise<MailServerProposal>) | undefined,
): ServerLookup {
  const note = el('p', { class: 'dim small', role: 'status', hidden: true })
  const isOurs = () => host.value === '' || host.value === host.dataset.guess
  return { note, guess, lookUp }

  function guess(): void {
    if (isOurs()) setHost(guessHost(address.value))
  }

  async function lookUp(): Promise<void> {
    if (!ask || address.value === '' || !address.checkValidity() || !isOurs()) return
    const email = address.value
    show('Looking for the server…')
    const server = await ask(email.trim()).catch(() => null)
    if (address.value !== email || !isOurs()) return show(null)
    show(foundBy[server?.found ?? 'guess'])
    if (server && server.found !== 'guess') fill(server, email.trim())
  }

  function fill(server: MailServerProposal, email: string): void {
    setHost(server.host)
    security.value = server.security satisfies MailSecurity
    proposePort(port, server.port)
    if (username.value === '' && server.username !== email) username.value = server.username
  }

  function setHost(value: string): void {
    host.value = value
    host.dataset.guess = value
  }

  function show(text: string | null): void {
    note.hidden = text === null
    note.textContent = text
  }
}

/** Fills in a port; one that the owner typed stays. */
export function proposePort(field: HTMLInputElement, port: number): void {
  if (field.value !== field.dataset.proposed) return
  field.value = String(port)
  field.dataset.proposed = field.value
}

// Where the mailbox of an address usually is.

const hosts: Record<string, string> = {
  'gmail.com': 'imap.gmail.com',
  'googlemail.com': 'imap.gmail.com',
  'outlook.com': 'outlook.office365.com',
  'hotmail.com': 'outlook.office365.com',
  'live.com': 'outlook.office365.com',
  'icloud.com': 'imap.mail.me.com',
  'me.com': 'imap.mail.me.com',
  'yahoo.com': 'imap.mail.yahoo.com',
  'fastmail.com': 'imap.fastmail.com',
  'gmx.net': 'imap.gmx.net',
  'gmx.de': 'imap.gmx.net',
  'web.de': 'imap.web.de',
  't-online.de': 'secureimap.t-online.de',
  'mailbox.org': 'imap.mailbox.org',
  'posteo.de': 'posteo.de',
  'zoho.com': 'imap.zoho.com',
  'aol.com': 'imap.aol.com',
}

/** The host for an address; empty until it names a domain. */
function guessHost(address: string): string {
  const domain = address.trim().toLowerCase().split('@')[1] ?? ''
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(domain) ? (hosts[domain] ?? `imap.${domain}`) : ''
}
