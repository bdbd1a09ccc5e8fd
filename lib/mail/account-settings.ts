// What an owner may write about an account of mail.

import { isIP } from 'node:net'
import { z } from 'zod'
import { MailSecurity } from '../contract/mail.ts'
import type { MailSettings } from '../db/repos/mail_accounts.ts'
import { invalid } from '../errors.ts'
import { cleanLine } from '../text/clean.ts'

export const address = z
  .string()
  .overwrite(cleanLine)
  .max(320)
  .regex(/^[^\s@<>"]+@[^\s@<>"]+$/, 'must be an address like anna@example.org')

const fields = {
  address,
  aliases: z.array(address).max(50),
  host: z
    .string()
    .overwrite(cleanLine)
    .max(253)
    .regex(/^[A-Za-z0-9](?:[A-Za-z0-9.:-]*[A-Za-z0-9])?$|^::1$/, 'must be the name or the address of a host'),
  port: z.int().min(1).max(65_535),
  security: MailSecurity,
  username: z.string().overwrite(cleanLine).min(1).max(320),
  password: z
    .string()
    .min(1)
    .max(2000)
    .regex(/^[^\0\r\n]*$/, 'must be one line')
    .describe('Stored as a secret; or secret:NAME for one that is stored'),
  folders: z
    .array(z.string().min(1).max(1000))
    .min(1)
    .max(100)
    .nullable()
    .describe('Their paths; null: the inbox, sent mail and the archive. Junk and trash are never read'),
  drafts_allowed: z
    .boolean()
    .describe('Whether approved replies are put into its Drafts folder; nothing is ever sent'),
}

export const NewMailAccount = z.strictObject({
  ...fields,
  aliases: fields.aliases.optional(),
  username: fields.username.optional().describe('Left out: the address'),
  folders: fields.folders.optional(),
  drafts_allowed: fields.drafts_allowed.default(false),
})
export type NewMailAccount = z.infer<typeof NewMailAccount>

export const MailAccountChange = z.strictObject({ ...fields, paused: z.boolean() }).partial()
export type MailAccountChange = z.infer<typeof MailAccountChange>

/** `password` is a reference. Throws a 400 `AppError` for one that would travel in the open. */
export function toSettings(given: NewMailAccount, password: string): MailSettings {
  const { aliases = [], username = given.address, folders = null } = given
  return checked({ ...given, aliases, username, folders, password })
}

/** As `toSettings`. */
export function changeSettings(
  stored: MailSettings,
  change: MailAccountChange,
  password: string,
): MailSettings {
  const { paused: _, password: __, ...given } = change
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const { address, aliases, host, port, security, username, folders, drafts_allowed } = { ...stored, ...set }
  return checked({ address, aliases, host, port, security, username, folders, password, drafts_allowed })
}

function checked(settings: MailSettings): MailSettings {
  if (settings.security === 'none' && !isLoopback(settings.host)) {
    throw invalid('security: without TLS only an address of this machine can be read. Use tls or starttls.')
  }
  return settings
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
