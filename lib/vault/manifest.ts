// What a folder of files cannot say of the documents in it, in one file at its top.

import { z } from 'zod'

export const manifestName = 'void.json'

/** Bytes that it may have. */
const maxManifestBytes = 200 * 1024 * 1024

const documentEntry = z.object({
  title: z.string(),
  mime: z.string(),
  metadata: z.record(z.string(), z.json()),
  /** There was no original: the file is the text. */
  is_text: z.boolean(),
})

const mailPlace = z.object({
  folder: z.string().min(1).max(1000),
  /** As IMAP names them, such as `\\Seen`. */
  flags: z.array(z.string().min(1).max(200)).max(100),
})

/** The folders that a message lay in, and how it was marked there. */
export type MailPlace = z.output<typeof mailPlace>

const vaultMail = z.object({
  /** Addresses of the owner: mail from them is sent mail. */
  own: z.array(z.string().min(1).max(320)).max(1000),
  messages: z.record(z.string(), z.array(mailPlace).max(100)),
})

const vaultManifest = z.object({
  void: z.literal(1),
  space: z.object({ slug: z.string(), name: z.string(), description: z.string() }),
  documents: z.record(z.string(), documentEntry),
  mail: vaultMail.optional(),
  /** Files that are a record of what happened, and no content: an import leaves them out. */
  records: z.array(z.string()).default([]),
})

export type DocumentEntry = z.output<typeof documentEntry>
export type VaultManifest = z.output<typeof vaultManifest>

/** `null` for a file that only has its name. */
export function readManifest(bytes: Uint8Array): VaultManifest | null {
  if (bytes.length > maxManifestBytes) return null
  try {
    return vaultManifest.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null
  } catch {
    return null
  }
}
