// Owner-editable mail account settings.

import { isIP } from 'node:net'
import { z } from 'zod'
import { secretReference } from '../../auth/secrets/resolve-secret.ts'
import { MailSecurity } from '../../contract/mail.ts'
import { AppError, invalid } from '../../core/errors.ts'
import { cleanLine } from '../../core/text/clean.ts'
import type { MailAccountRow, MailSettings } from '../../db/repos/mail_accounts.ts'

export const address = z
  .string()
  .overwrite(cleanLine)
  .max(320)
  .regex(/^[^\s@<>"]+@[^\s@<>"]+$/, 'must be an address like anna@example.org')

const secret = z
  .string()
  .min(1)
  .max(8000)
  .regex(/^[^\0\r\n]*$/, 'must be one line')

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
  password: secret.describe('Stored as a secret; or secret:NAME for one that is stored'),
  folders: z
    .array(z.string().min(1).max(1000))
    .min(1)
    .max(100)
    .nullable()
    .describe('Their paths; null: the inbox, sent mail and the archive. Junk and trash are never read'),
  oauth: z
    .strictObject({
      token_url: z
        .url({ protocol: /^https?$/ })
        .max(2000)
        .describe('The provider’s token endpoint'),
      client_id: z.string().overwrite(cleanLine).min(1).max(2000),
      client_secret: secret
        .optional()
        .describe('Stored as a secret, or secret:NAME. Default: unchanged, or none'),
      scope: z.string().overwrite(cleanLine).max(1000).default(''),
    })
    .nullable()
    .describe('For XOAUTH2 with a client of your own: `password` is the refresh token then'),
  drafts_allowed: z
    .boolean()
    .describe('Whether approved replies are put into its Drafts folder; nothing is ever sent'),
}

export const NewMailAccount = z.strictObject({
  ...fields,
  aliases: fields.aliases.optional(),
  username: fields.username.optional().describe('Default: the address'),
  folders: fields.folders.optional(),
  oauth: fields.oauth.default(null),
  drafts_allowed: fields.drafts_allowed.default(false),
})

export type NewMailAccount = z.infer<typeof NewMailAccount>

export const MailAccountChange = z
  .strictObject({
    ...fields,
    paused: z.boolean(),
    mail: z
      .enum(['keep', 'delete'])
      .describe('What happens to the mail of the old mailbox if host, port or username change'),
  })
  .partial()

export type MailAccountChange = z.infer<typeof MailAccountChange>

/** What is stored for what is secret: references. */
type SecretReferences = { password: string; client_secret: string | null }

/** Throws a 400 `AppError` for what would travel in the open. */
export function toSettings(
  given: NewMailAccount,
  { password, client_secret }: SecretReferences,
): MailSettings {
  const { aliases = [], username = given.address, folders = null } = given
  const oauth = given.oauth && { ...given.oauth, client_secret }
  return checked({ ...given, aliases, username, folders, password, oauth })
}

/** As `toSettings`. */
export function changeSettings(
  stored: MailSettings,
  change: MailAccountChange,
  { password, client_secret }: SecretReferences,
): MailSettings {
  const { paused: _, password: __, oauth: wanted, ...given } = change
  const oauth = wanted === undefined ? stored.oauth : wanted && { ...wanted, client_secret }
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const { address, aliases, host, port, security, username, folders, drafts_allowed } = { ...stored, ...set }
  return checked({
    address,
    aliases,
    host,
    port,
    security,
    username,
    folders,
    password,
    drafts_allowed,
    oauth,
  })
}

/** Whether the settings are of another mailbox: its folders and their numbers have nothing to do with the old one's. */
export const isOtherMailbox = (before: MailSettings, after: MailSettings): boolean =>
  before.host.toLowerCase() !== after.host.toLowerCase() ||
  before.port !== after.port ||
  before.username !== after.username

export const MissingFolderDecision = z
  .strictObject({
    path: z.string().min(1).max(1000),
    action: z.enum(['replace', 'keep', 'delete']).describe('replace: sync another folder in its place'),
    folder: z.string().min(1).max(1000).optional().describe('For replace: the path of that folder'),
  })
  .refine(({ action, folder }) => (action === 'replace') === (folder !== undefined), {
    message: 'folder: is for replace, which needs it',
  })
export type MissingFolderDecision = z.infer<typeof MissingFolderDecision>

/** The folders that are read once a missing one has been decided on. `read`: those that are read now. */
export function foldersAfter(
  { folders }: Pick<MailSettings, 'folders'>,
  { path, folder }: MissingFolderDecision,
  read: readonly string[],
): string[] | null {
  const before = folders ?? (folder === undefined ? null : [...read, path])
  const after = before?.flatMap((one) => (one === path ? (folder ?? []) : one))
  return after && after.length > 0 ? [...new Set(after)] : folders
}

function checked(settings: MailSettings): MailSettings {
  if (settings.security === 'none' && !isLoopback(settings.host)) {
    throw invalid('security: none is allowed only for hosts on this machine. Use tls or starttls.')
  }
  const url = settings.oauth && new URL(settings.oauth.token_url)
  if (url && url.protocol !== 'https:' && !isLoopback(url.hostname)) {
    throw invalid('oauth.token_url: must be an https address.')
  }
  return settings
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

// The password of an account, or its refresh token, and the secret of its client: secrets of their own, or such that the
// owner had before, which stay when the account goes.

export type PasswordStore = {
  put(name: string, value: string): Promise<void>
  remove(name: string): Promise<void>
  resolve(spec: string): Promise<string | null>
}

type Given = Pick<MailAccountChange, 'password' | 'oauth'>

/** What an account stores for what it was given, or has stored already. */
export function referencesOf(id: string, given: Given, stored: MailAccountRow | null): SecretReferences {
  const client_secret = given.oauth?.client_secret
  return {
    password: given.password ? referenceOf(id, given.password) : (stored?.password ?? ''),
    client_secret: client_secret
      ? referenceOf(clientOf(id), client_secret)
      : (stored?.oauth?.client_secret ?? null),
  }
}

export async function storeSecrets(secrets: PasswordStore, id: string, given: Given): Promise<void> {
  if (given.password) await storePassword(secrets, id, given.password)
  const client_secret = given.oauth?.client_secret
  if (client_secret) await storePassword(secrets, clientOf(id), client_secret)
}

export async function forgetSecrets(
  secrets: PasswordStore,
  id: string,
  { password, client_secret }: SecretReferences,
): Promise<void> {
  await forgetPassword(secrets, id, password)
  if (client_secret) await forgetPassword(secrets, clientOf(id), client_secret)
}

/** The secret of its client has a name of its own. */
const clientOf = (id: string): string => `${id}-client`

const nameOf = (id: string): string => `mail-${id}`

/** What an account stores for a password: never the password. */
const referenceOf = (id: string, password: string): string =>
  secretReference.test(password) ? password : `secret:${nameOf(id)}`

async function storePassword(secrets: PasswordStore, id: string, password: string): Promise<void> {
  if (!secretReference.test(password)) await secrets.put(nameOf(id), password)
}

async function forgetPassword(secrets: PasswordStore, id: string, reference: string): Promise<void> {
  if (reference !== `secret:${nameOf(id)}`) return
  await secrets.remove(nameOf(id)).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.status !== 404) throw error
  })
}
