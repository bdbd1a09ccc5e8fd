// Where the mailbox of an address usually is.

const known: Record<string, string> = {
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
export function guessHost(address: string): string {
  const domain = address.trim().toLowerCase().split('@')[1] ?? ''
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(domain) ? (known[domain] ?? `imap.${domain}`) : ''
}
